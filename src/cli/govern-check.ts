// `gcos govern --check`: what the gate says about every unit of an estate, from nothing, in a temporary home.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprintOf, type ReportResult } from '../answer/report/index.js';
import { EmbeddedServer } from '../db/index.js';
import type { EstateReport, GateDecision, Gcos } from '../index.js';
import { type Context, type Outcome, withGcos } from './command.js';
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

const subjectOf = ({ class: kind, code }: { readonly class: string; readonly code: string }) => ({
  name: `${kind} ${code}`,
  key: code,
  kind,
});

function resultsOf(
  source: string,
  blocked: readonly Blocked[],
  { flaws }: EstateReport,
): readonly ReportResult[] {
  const blocks = blocked.map((each): ReportResult => {
    const rule = each.reasons[0]?.code ?? 'blocked';
    return {
      rule,
      level: 'error',
      message: `${each.class} ${each.code}: ${each.what ?? each.reasons.map(({ sentence }) => sentence).join('; ')}`,
      fix: each.statement,
      subjects: [subjectOf(each)],
      fingerprint: fingerprintOf(source, rule, each.class, each.code),
      accepted: null,
    };
  });
  const found = flaws.map(
    (each): ReportResult => ({
      rule: each.detector,
      level: each.severity === 'low' ? 'note' : 'warning',
      message: `${each.class} ${each.code}: ${each.reason}`,
      fix: each.statement,
      subjects: [subjectOf(each)],
      fingerprint: fingerprintOf(source, each.detector, each.class, each.code, each.statement),
      accepted: null,
    }),
  );
  return [...blocks, ...found];
}

function lines(source: string, units: number, blocked: readonly Blocked[], out: Output): string[] {
  if (blocked.length === 0)
    return [`${out.tone('good', 'ALLOW')}  ${source}: the gate allows all ${formatCount(units)} units`];
  return [
    `${out.tone('bad', 'BLOCK')}  ${source}: the gate blocks ${formatCount(blocked.length)} of ${formatCount(units)} units`,
    ...blocked.flatMap((each) => [
      `  ${each.class} ${each.code}: ${each.what ?? each.reasons.map(({ sentence }) => sentence).join('; ')}`,
      ...(each.statement === null ? [] : [`    ${each.statement}`]),
    ]),
  ];
}

export async function checkEstate(context: Context, flags: FormatFlags, estateOf: Estate): Outcome {
  const asReport = isReport(flags);
  const { estate, blocked } = await withTemporaryHome(context, async (gcos, own) => {
    const done = await governEstate(gcos, own, estateOf);
    return { estate: done.estate, blocked: blockedOf(done.estate, await decisionsOn(gcos, done.estate)) };
  });
  const { source, units } = estate;
  if (asReport)
    printReport(context, flags, {
      title: 'gcos govern --check',
      results: resultsOf(source, blocked, estate),
    });
  else
    context.out.result({ source, units: units.length, blocked, flaws: estate.flaws }, () =>
      lines(source, units.length, blocked, context.out),
    );
  return blocked.length === 0 ? undefined : 2;
}
