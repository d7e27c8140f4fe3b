// `gcos govern --check`: what the gate says about every unit of an estate, from nothing, in a temporary home.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Acceptances, readAcceptances } from '../answer/configuration/index.js';
import { fingerprintOf, type ReportResult } from '../answer/report/index.js';
import { EmbeddedServer } from '../db/index.js';
import type { EstateFlaw, EstateReport, GateDecision, Gcos } from '../index.js';
import { type Context, type Outcome, withGcos } from './command.js';
import { blockingFlaws, collectionOf } from './govern-baseline.js';
import { type Estate, governEstate } from './govern-run.js';
import { formatCount, type Output } from './output.js';
import { type FormatFlags, isReport, printReport } from './report.js';

/** Units of one check of the gate, and how long it may take. */
const PAGE = 2_000;
const DEADLINE_MS = 60_000;

interface Blocked {
  readonly class: string;
  readonly code: string;
  readonly reasons: readonly {
    readonly code: string;
    readonly scope: string | null;
    readonly sentence: string;
  }[];
  /** What to do, where it is known. */
  readonly what: string | null;
  readonly statement: string | null;
}

/** Runs `work` in a home of its own, and deletes it. */
async function withTemporaryHome<T>(
  context: Context,
  work: (gcos: Gcos, own: Context) => Promise<T>,
): Promise<T> {
  const parent = mkdtempSync(join(tmpdir(), 'gcos-check-'));
  const home = join(parent, 'home');
  const own: Context = {
    ...context,
    config: { ...context.config, target: { kind: 'embedded', home }, home },
  };
  let folder: string | undefined;
  try {
    return await withGcos(own, (gcos) => {
      folder = new EmbeddedServer(home).status()?.folder;
      return work(gcos, own);
    });
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    rmSync(parent, { recursive: true, force: true });
  }
}

async function decisionsOn(gcos: Gcos, { units }: EstateReport): Promise<readonly GateDecision[]> {
  const decisions: GateDecision[] = [];
  for (let start = 0; start < units.length; start += PAGE) {
    const questions = units.slice(start, start + PAGE).map(({ collection, code }) => ({ collection, code }));
    decisions.push(...(await gcos.gates.check(questions, { deadlineMs: DEADLINE_MS })).decisions);
  }
  return decisions;
}

function blockedOf({ units, gaps }: EstateReport, decisions: readonly GateDecision[]): readonly Blocked[] {
  const gapOf = new Map(gaps.map((each) => [JSON.stringify([each.class, each.code]), each]));
  return decisions.flatMap(({ answer, reasons }, index): readonly Blocked[] => {
    const unit = units[index];
    if (answer !== 'block' || unit === undefined) return [];
    const gap = gapOf.get(JSON.stringify([unit.class, unit.code]));
    return [
      {
        class: unit.class,
        code: unit.code,
        reasons: reasons.map(({ code, scope, sentence }) => ({ code, scope, sentence })),
        what: gap?.what ?? null,
        statement: gap?.statement ?? null,
      },
    ];
  });
}

/** What a detector lists, as the gate counts an open finding of its severity. */
const blockedBy = (flaw: EstateFlaw): Blocked => ({
  class: flaw.class,
  code: flaw.code,
  reasons: [{ code: flaw.detector, scope: null, sentence: flaw.reason }],
  what: `${flaw.detector}, ${flaw.severity}: ${flaw.reason}`,
  statement: flaw.statement,
});

/** A gap or a finding that gcos.yaml accepts. */
interface Accepted {
  readonly rule: string;
  readonly class: string;
  readonly code: string;
  readonly what: string;
  readonly statement: string | null;
  readonly reason: string;
  readonly until: string;
}

/** One per unit, as a block would be: the gaps of a unit that exceptions accept. */
function acceptedGaps({ lacks }: EstateReport, accepts: Acceptances): readonly Accepted[] {
  const units = new Map<string, Accepted>();
  for (const lack of lacks) {
    const acceptance = lack.accepted ? accepts.gap(lack) : undefined;
    if (acceptance === undefined) continue;
    const key = JSON.stringify([lack.class, lack.code]);
    const known = units.get(key);
    const what = `the link ${lack.link} may be missing in scope ${lack.scope}`;
    units.set(key, {
      rule: ORPHAN,
      class: lack.class,
      code: lack.code,
      what: known === undefined ? what : `${known.what}; ${what}`,
      statement: null,
      reason: acceptance.reason,
      until: acceptance.until,
    });
  }
  return [...units.values()];
}

/** The rule of a gap: the first reason of the gate against a unit that lacks a link. */
const ORPHAN = 'orphan';

interface Checked {
  readonly estate: EstateReport;
  readonly blocked: readonly Blocked[];
  readonly accepted: readonly Accepted[];
  /** The findings of detectors that neither block nor are accepted. */
  readonly others: readonly EstateFlaw[];
}

function checkedOf(
  estate: EstateReport,
  decisions: readonly GateDecision[],
  accepts: Acceptances | undefined,
): Checked {
  const { source } = estate;
  const blocking = new Set(blockingFlaws(estate));
  const acceptance = (flaw: EstateFlaw) =>
    accepts?.finding({
      collection: collectionOf(source, flaw.class),
      code: flaw.code,
      detector: flaw.detector,
    });
  const open = [...blocking].filter((flaw) => acceptance(flaw) === undefined);
  const accepted = [...blocking].flatMap((flaw): readonly Accepted[] => {
    const found = acceptance(flaw);
    if (found === undefined) return [];
    const { detector, class: objectClass, code, reason: what, statement } = flaw;
    const { reason, until } = found;
    return [{ rule: detector, class: objectClass, code, what, statement, reason, until }];
  });
  return {
    estate,
    blocked: [...blockedOf(estate, decisions), ...open.map(blockedBy)],
    accepted: [...(accepts === undefined ? [] : acceptedGaps(estate, accepts)), ...accepted],
    others: estate.flaws.filter((flaw) => !blocking.has(flaw)),
  };
}

const subjectOf = ({ class: kind, code }: { readonly class: string; readonly code: string }) => ({
  name: `${kind} ${code}`,
  key: code,
  kind,
});

function resultsOf({ estate, blocked, accepted, others }: Checked): readonly ReportResult[] {
  const { source } = estate;
  const fingerprint = (rule: string, objectClass: string, code: string, statement: string | null) =>
    rule.includes(':')
      ? fingerprintOf(source, rule, objectClass, code, statement)
      : fingerprintOf(source, rule, objectClass, code);
  const blocks = blocked.map((each): ReportResult => {
    const rule = each.reasons[0]?.code ?? 'blocked';
    return {
      rule,
      level: 'error',
      message: `${each.class} ${each.code}: ${whatText(each)}`,
      fix: each.statement,
      subjects: [subjectOf(each)],
      fingerprint: fingerprint(rule, each.class, each.code, each.statement),
      accepted: null,
    };
  });
  const found = others.map(
    (each): ReportResult => ({
      rule: each.detector,
      level: each.severity === 'low' ? 'note' : 'warning',
      message: `${each.class} ${each.code}: ${each.reason}`,
      fix: each.statement,
      subjects: [subjectOf(each)],
      fingerprint: fingerprint(each.detector, each.class, each.code, each.statement),
      accepted: null,
    }),
  );
  const suppressed = accepted.map(
    (each): ReportResult => ({
      rule: each.rule,
      level: 'error',
      message: `${each.class} ${each.code}: ${each.what}`,
      fix: each.statement,
      subjects: [subjectOf(each)],
      fingerprint: fingerprint(each.rule, each.class, each.code, each.statement),
      accepted: { by: 'gcos.yaml', reason: each.reason, until: each.until },
    }),
  );
  return [...blocks, ...found, ...suppressed, ...notListed(estate)];
}

/** What a detector would list is not known: that is not fine. */
const notListed = ({ source, notListed: count }: EstateReport): readonly ReportResult[] =>
  count === 0
    ? []
    : [
        {
          rule: 'not_listed',
          level: 'error',
          message: `${formatCount(count)} detectors could not run`,
          fix: null,
          subjects: [{ name: source, key: source, kind: 'source' }],
          fingerprint: fingerprintOf(source, 'not_listed'),
          accepted: null,
        },
      ];

const whatText = ({ what, reasons }: Blocked): string =>
  what ?? reasons.map(({ sentence }) => sentence).join('; ');

function acceptedLines(accepted: readonly Accepted[]): string[] {
  const [first] = accepted;
  if (first === undefined) return [];
  const until = accepted.map((each) => each.until).sort()[0];
  return [`accepted by gcos.yaml: ${formatCount(accepted.length)}, the first until ${until}`];
}

function lines({ estate, blocked, accepted }: Checked, out: Output): string[] {
  const { source, units, notListed: unknown } = estate;
  const all = formatCount(units.length);
  if (blocked.length + unknown === 0)
    return [
      `${out.tone('good', 'ALLOW')}  ${source}: the gate allows all ${all} units`,
      ...acceptedLines(accepted),
    ];
  const findings = blocked.filter((each) => each.reasons[0]?.code.includes(':')).length;
  return [
    `${out.tone('bad', 'BLOCK')}  ${source}: the gate blocks ${formatCount(blocked.length - findings)} of ${all} units${findings === 0 ? '' : `; ${formatCount(findings)} ${findings === 1 ? 'finding of a detector blocks' : 'findings of detectors block'}`}`,
    ...blocked.flatMap((each) => [
      `  ${each.class} ${each.code}: ${whatText(each)}`,
      ...(each.statement === null ? [] : [`    ${each.statement}`]),
    ]),
    ...(unknown === 0
      ? []
      : [`  ${formatCount(unknown)} detectors could not run: what they would list is not known`]),
    ...acceptedLines(accepted),
  ];
}

export async function checkEstate(context: Context, flags: FormatFlags, estateOf: Estate): Outcome {
  const asReport = isReport(flags);
  const accepts =
    estateOf.config === undefined
      ? undefined
      : readAcceptances(estateOf.config, new Date().toISOString().slice(0, 10));
  const checked = await withTemporaryHome(context, async (gcos, own) => {
    const { estate } = await governEstate(gcos, own, { ...estateOf, temporary: true });
    return checkedOf(estate, await decisionsOn(gcos, estate), accepts);
  });
  const { estate, blocked, accepted } = checked;
  const { source, units, flaws, notListed: unknown } = estate;
  if (asReport) printReport(context, flags, { title: 'gcos govern --check', results: resultsOf(checked) });
  else
    context.out.result({ source, units: units.length, blocked, accepted, flaws, not_listed: unknown }, () =>
      lines(checked, context.out),
    );
  return blocked.length + unknown === 0 ? undefined : 2;
}
