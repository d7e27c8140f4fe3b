// Owns reading the catalogue of findings and its settings. Both are rows in the database; the code lists no
// finding type.
import { z } from 'zod';
import { defineSetting, settingErrors, type Transaction } from '../../db/index.js';
import { parseDuration } from '../../kernel/index.js';
import { findingErrors } from './errors.js';
import { readSettings, readTypes } from './finding-types.sql.js';
import type { Severity } from './observation.js';

type Route = 'owner' | 'council' | 'siv' | 'siv_and_council';

export interface FindingType {
  readonly name: string;
  readonly family: string;
  readonly base: Severity;
  readonly max: Severity;
  readonly route: Route;
  readonly ceiling: number | null;
  readonly coolDownSeconds: bigint | null;
}

const seconds = z.string().transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== undefined) return BigInt(Math.ceil(ms / 1_000));
  context.addIssue({ code: 'custom', message: `\`${text}\` is not a duration such as 30s, 15m or 24h` });
  return z.NEVER;
});

/** The settings of this module, with the defaults for missing rows. */
const settings = z.object({
  'finding.cool_down': z
    .strictObject({ critical: seconds, high: seconds, medium: seconds, low: seconds })
    .default({ critical: 900n, high: 3_600n, medium: 21_600n, low: 86_400n }),
  'finding.ceiling': z.int().positive().default(200),
  'finding.sample': z.int().nonnegative().default(20),
  'finding.bodies': z
    .strictObject({ council: z.string().min(1), siv: z.string().min(1) })
    .default({ council: 'GOV-COUNCIL', siv: 'GOV-SIV' }),
  'finding.closed_statuses': z.array(z.string().min(1)).default(['resolved', 'closed', 'done', 'fixed']),
});
export type FindingSettings = z.infer<typeof settings>;

/** Their declarations. */
export const findingSettings = [
  defineSetting({
    key: 'finding.cool_down',
    form: settings.shape['finding.cool_down'].unwrap(),
    default: { critical: '15m', high: '1h', medium: '6h', low: '24h' },
    about:
      'the cool-down after a notification, per severity: a finding that reopens within it sends no notification; for example 30s, 15m, 24h',
  }),
  defineSetting({
    key: 'finding.ceiling',
    form: settings.shape['finding.ceiling'].unwrap(),
    default: 200,
    about:
      'how many findings of one type and route one write may raise; above this limit GCOS writes one summary with the exact count',
  }),
  defineSetting({
    key: 'finding.sample',
    form: settings.shape['finding.sample'].unwrap(),
    default: 20,
    about: 'how many keys a summary names',
  }),
  defineSetting({
    key: 'finding.bodies',
    form: settings.shape['finding.bodies'].unwrap(),
    default: { council: 'GOV-COUNCIL', siv: 'GOV-SIV' },
    about:
      "the recipient of disputes and of findings without an owner (council), and the recipient of findings about GCOS's own processes (siv, the integrity body)",
    changedBy: 'dba',
  }),
  defineSetting({
    key: 'finding.closed_statuses',
    form: settings.shape['finding.closed_statuses'].unwrap(),
    default: ['resolved', 'closed', 'done', 'fixed'],
    about:
      'words in system_issues.status that mean closed, written by GCOS or by users; observed again, such a finding reopens',
    changedBy: 'dba',
  }),
];

/** The finding types `names`; throws if the catalogue lacks one. */
export async function readFindingTypes(
  tx: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, FindingType>> {
  const rows = await tx.run(readTypes, { types: names });
  const types = new Map(
    rows.map((row) => [
      row.finding_type,
      {
        name: row.finding_type,
        family: row.family,
        base: row.base_severity as Severity,
        max: row.max_severity as Severity,
        route: row.route as Route,
        ceiling: row.ceiling,
        coolDownSeconds: row.cool_down_seconds,
      },
    ]),
  );
  const missing = names.find((name) => !types.has(name));
  if (missing !== undefined)
    throw findingErrors.finding_type_unknown(`the catalogue has no finding type \`${missing}\``);
  return types;
}

export async function readFindingSettings(tx: Transaction): Promise<FindingSettings> {
  const rows = await tx.run(readSettings, { keys: Object.keys(settings.shape) });
  const values = rows.map((row) => [row.setting_key, JSON.parse(row.setting_value) as unknown] as const);
  const parsed = settings.safeParse(Object.fromEntries(values));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw settingErrors.setting_invalid(
    `setting \`${String(issue?.path[0])}\`: ${issue?.message ?? 'wrong form'}`,
  );
}
