// Owns the comparison of gcos.yaml with the database: what an application would change, and what was edited
// by hand since the last one.
import type { Transaction } from '../../db/index.js';
import { type JsonValue, toWire } from '../../kernel/index.js';
import {
  countOpenGaps,
  type ExceptionSubject,
  readExceptions,
  subjectText,
} from '../../rule/exception/index.js';
import { kitSetting } from '../../source/kit/index.js';
import { sourceLinks } from '../../source/link/index.js';
import type { SourceConfig } from '../../source/object/index.js';
import type { ConfigurationChange, ConfigurationPlan } from './change.js';
import type { AcceptedGap, ConfigurationDocument } from './document.js';
import { configurationErrors } from './errors.js';
import type { Configuration, ConfiguredSource } from './file.js';
import { canonical, kitRows } from './kit-rules.js';
import { readManaged, readManages } from './managed.sql.js';

export const POLICY_KEY = 'approval.policy';

/** What a source is configured to; throws if it cannot be. */
export type ConfigOf = (source: ConfiguredSource) => SourceConfig;

export interface WantedRow {
  readonly kind: ConfigurationChange['kind'];
  /** Null: an exception that does not exist yet. */
  readonly key: string | null;
  readonly subject: string;
  readonly content: JsonValue;
  /** Of an exception that exists: whether it ends when the document says. */
  readonly ends?: boolean;
}

export function subjectOf({ collection, code, class: objectClass }: AcceptedGap): ExceptionSubject {
  if (objectClass !== undefined) return { kind: 'class', objectClass };
  return code === undefined
    ? { kind: 'collection', collection: collection ?? '' }
    : { kind: 'object', collection: collection ?? '', code };
}

/** The first moment after the last day, in UTC. */
export const endOf = ({ until }: { readonly until: string }): string =>
  new Date(Date.parse(`${until}T00:00:00Z`) + 86_400_000).toISOString();

export const gapText = (gap: AcceptedGap): string =>
  `${subjectText(subjectOf(gap))} in scope ${gap.scope}${gap.link === undefined ? '' : `, link ${gap.link}`}`;

interface LiveException {
  readonly code: string;
  readonly endsAt: number;
}

/** What an exception is about, as one text. */
const termsKey = (subject: ExceptionSubject, scope: string, link: string | null): string =>
  canonical([{ ...subject }, scope, link]);

const PAGE = 10_000;

/** The exceptions that hold or wait, by what they are about. */
async function liveExceptions(
  tx: Transaction,
  at: string,
): Promise<ReadonlyMap<string, readonly LiveException[]>> {
  const live = new Map<string, LiveException[]>();
  for (let after: string | undefined; ; ) {
    const page = await readExceptions(tx, at, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const each of page) {
      if (each.status !== 'in_force' && each.status !== 'waiting') continue;
      const key = termsKey(each.subject, each.scope, each.link);
      const endsAt = Date.parse(toWire(each.expiresAt) as string);
      live.set(key, [...(live.get(key) ?? []), { code: each.code, endsAt }]);
    }
    after = page.at(-1)?.code;
    if (page.length < PAGE) return live;
  }
}

/** What a home has: sources, what places say of their objects, kits. */
async function homeRows(
  tx: Transaction,
  { places, sources, kits, document }: Configuration,
  { links, configOf }: { readonly links: boolean; readonly configOf: ConfigOf },
): Promise<readonly WantedRow[]> {
  const setting = (key: string, content: unknown): WantedRow => ({
    kind: 'setting',
    key,
    subject: key,
    content: content as JsonValue,
  });
  const placed = places.contracts.length + places.patterns.length > 0;
  const rows: WantedRow[] = sources.map((each) => ({
    kind: 'source',
    key: each.name,
    subject: each.name,
    content: { kind: each.kind, config: configOf(each) as JsonValue },
  }));
  // Without any, what an earlier application wrote must no longer hold.
  if (placed || links) rows.push(setting(sourceLinks.key, places));
  if (kits.length > 0) rows.push(setting(kitSetting.key, document.kits));
  for (const chosen of kits)
    for (const row of await kitRows(tx, chosen)) rows.push({ ...row, subject: row.key });
  return rows;
}

/** The baseline is one request: it is there once each of its gaps has an exception. */
async function baselineRow(
  tx: Transaction,
  { baseline }: ConfigurationDocument,
): Promise<readonly WantedRow[]> {
  if (baseline === undefined || baseline.gaps.length === 0) return [];
  const { until, reason, gaps } = baseline;
  const content = { until, reason, gaps: gaps.length };
  const ends = (await countOpenGaps(tx, gaps, endOf(baseline))) === 0;
  return [{ kind: 'exception', key: null, subject: 'baseline', content, ends }];
}

/** The rows that the document wants. */
export async function wantedRows(
  tx: Transaction,
  configuration: Configuration,
  { at, configOf }: { readonly at: string; readonly configOf: ConfigOf },
): Promise<readonly WantedRow[]> {
  const { document } = configuration;
  const { home, links } = await tx.one(readManages, {});
  const ofHome = home ? await homeRows(tx, configuration, { links, configOf }) : [];
  const live =
    document.accepted_gaps.length === 0
      ? new Map<string, readonly LiveException[]>()
      : await liveExceptions(tx, at);
  const bodies = Object.entries(document.bodies).map(([key, { name }]) => ({
    kind: 'body' as const,
    key,
    subject: key,
    content: { name, status: 'active' },
  }));
  const policy = document.approval?.policy;
  const settings =
    policy === undefined
      ? []
      : [{ kind: 'setting' as const, key: POLICY_KEY, subject: POLICY_KEY, content: policy as JsonValue }];
  const gaps = document.accepted_gaps.map((gap) => {
    const found = live.get(termsKey(subjectOf(gap), gap.scope, gap.link ?? null)) ?? [];
    const exact = found.find(({ endsAt }) => endsAt === Date.parse(endOf(gap)));
    return {
      kind: 'exception' as const,
      key: (exact ?? found[0])?.code ?? null,
      subject: gapText(gap),
      content: { until: gap.until, reason: gap.reason },
      ends: exact !== undefined,
    };
  });
  return [...bodies, ...settings, ...ofHome, ...gaps, ...(await baselineRow(tx, document))];
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

export async function planConfiguration(
  tx: Transaction,
  configuration: Configuration,
  options: { readonly at: string; readonly configOf: ConfigOf },
): Promise<ConfigurationPlan> {
  const { file, document, places, sources, kits, disagreements } = configuration;
  const { bodies, home } = await tx.one(readManages, {});
  if (Object.keys(document.bodies).length > 0 && !bodies)
    throw configurationErrors.config_unappliable('the bodies of this host are its own, and GCOS writes none');
  if (sources.length + kits.length > 0 && !home)
    throw configurationErrors.config_unappliable('sources and kits are for a home, and this host is not one');
  const wanted = await wantedRows(tx, configuration, options);
  const keyed = wanted.flatMap((each) => (each.key === null ? [] : [{ ...each, key: each.key }]));
  const rows = await tx.run(readManaged, {
    kinds: keyed.map((each) => each.kind),
    keys: keyed.map((each) => each.key),
  });
  const nameOf = (kind: string, key: string): string => `${kind} ${key}`;
  const known = new Map(rows.map((row) => [nameOf(row.kind, row.managed_key), row]));
  const changes = wanted.map((each): ConfigurationChange => {
    const row = each.key === null ? undefined : known.get(nameOf(each.kind, each.key));
    const [from, applied] = [parsed(row?.content ?? null), parsed(row?.applied ?? null)];
    const isSame = each.ends ?? canonical(from) === canonical(each.content);
    const change = isSame ? 'none' : from === null ? 'create' : 'change';
    const edited = applied !== null && canonical(applied) !== canonical(from);
    return { kind: each.kind, subject: each.subject, change, edited, from, to: each.content };
  });
  const names = new Set(keyed.map((each) => nameOf(each.kind, each.key)));
  const released = rows
    .filter((row) => row.applied !== null && !names.has(nameOf(row.kind, row.managed_key)))
    .map((row): ConfigurationChange => {
      const [from, applied] = [parsed(row.content), parsed(row.applied)];
      const edited = canonical(applied) !== canonical(from);
      return {
        kind: row.kind as WantedRow['kind'],
        subject: row.managed_key,
        change: 'release',
        edited,
        from,
        to: null,
      };
    });
  return {
    file,
    changes: [...changes, ...released],
    contracts: places.contracts.length,
    patterns: places.patterns.length,
    disagreements,
  };
}
