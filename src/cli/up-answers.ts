// Owns the last part of `gcos up`, once a ledger is closed: the ledger, the most effective fixes, and on a
// demo estate one explained object and two gate checks.
import { DEMO_OBJECTS } from '../demo/index.js';
import type { Explanation, FixPage, GateCheck, Gcos, ShownLedger } from '../index.js';
import { checkLines, fixText } from './gate-text.js';
import { ledgerLines } from './ledger.js';
import { formatCount, type Output } from './output.js';

const FIXES = 5;

export interface Answers {
  readonly ledger: ShownLedger;
  readonly fixes: FixPage;
  /** Null if this is not a demo estate. */
  readonly explained: Explanation | null;
  /** Empty if this is not a demo estate. */
  readonly gate: readonly GateCheck[];
}

/** Undefined before the first closed ledger. */
export async function readAnswers(gcos: Gcos, demo: boolean): Promise<Answers | undefined> {
  const ledger = await gcos.ledgers.show();
  if (!ledger.closed) return undefined;
  const fixes = await gcos.fixes.list({ limit: FIXES });
  if (!demo) return { gate: [], ledger, fixes, explained: null };
  const { allowed, blocked } = DEMO_OBJECTS;
  const explained = await gcos.explanations.object(blocked.collection, blocked.code);
  const gate: GateCheck[] = [];
  for (const each of [allowed, blocked]) gate.push(await gcos.gates.check([each]));
  return { gate, ledger, fixes, explained };
}

function fixLines({ fixes }: FixPage): string[] {
  if (fixes.length === 0) return ['  no gap is known'];
  return fixes.map(
    ({ objects, members, what, who }) =>
      `  ${formatCount(objects)} ${objects === 1 ? 'unit' : 'units'}${members > 0 ? ` (${formatCount(members)} members)` : ''}: ${fixText({ what, who })}`,
  );
}

export function answerLines({ ledger, fixes, explained, gate }: Answers, out: Output): string[] {
  return [
    out.tone('bold', 'The last closed ledger'),
    ...ledgerLines(ledger, out).map((line) => `  ${line}`),
    '',
    out.tone('bold', 'The most effective fixes (gcos finding list --by-fix)'),
    ...fixLines(fixes),
    '',
    ...(explained === null
      ? []
      : [
          out.tone(
            'bold',
            `One object, ${DEMO_OBJECTS.blocked.collection} ${DEMO_OBJECTS.blocked.code} (details: gcos explain)`,
          ),
          ...explained.scopes.map((scope) => `  ${scope.sentence}`),
          '',
          out.tone('bold', 'The gate, checked for two tools (gcos gate check)'),
          ...gate.flatMap((check) => checkLines(check, out)).map((line) => `  ${line}`),
          '',
        ]),
  ];
}
