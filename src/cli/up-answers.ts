// Owns the last part of `gcos up`, once a ledger is closed: the ledger, the most effective fixes, one
// explained object, and two gate checks.
import type { Explanation, FixPage, GateCheck, Gcos, ShownLedger } from '../index.js';
import { checkLines, fixText } from './gate-text.js';
import { ledgerLines } from './ledger.js';
import { formatCount, type Output } from './output.js';
import { printable } from './page.js';

/** A demo object with high risk and a missing link. */
const EXPLAINED = { collection: 'dot_tools', code: 'DOT-117' } as const;
/** One demo object that the gate allows, and one that it blocks. */
const CHECKED = [{ collection: 'dot_tools', code: 'DOT-118' }, EXPLAINED] as const;
const FIXES = 5;

export interface Answers {
  readonly ledger: ShownLedger;
  readonly fixes: FixPage;
  /** Null if the object does not exist here. */
  readonly explained: Explanation | null;
  /** Empty if the objects do not exist here. */
  readonly gate: readonly GateCheck[];
}

/** Undefined before the first closed ledger. */
export async function readAnswers(gcos: Gcos): Promise<Answers | undefined> {
  const ledger = await gcos.ledgers.show();
  if (!ledger.closed) return undefined;
  const explained = await gcos.explanations.object(EXPLAINED.collection, EXPLAINED.code);
  const gate: GateCheck[] = [];
  if (explained.known) for (const each of CHECKED) gate.push(await gcos.gates.check([each]));
  return {
    gate,
    ledger,
    fixes: await gcos.fixes.list({ limit: FIXES }),
    explained: explained.known ? explained : null,
  };
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
          out.tone('bold', `One object, ${EXPLAINED.collection} ${EXPLAINED.code} (details: gcos explain)`),
          ...explained.scopes.map((scope) => `  ${printable(scope.sentence)}`),
          '',
          out.tone('bold', 'The gate, checked for two tools (gcos gate check)'),
          ...gate.flatMap((check) => checkLines(check, out)).map((line) => `  ${line}`),
          '',
        ]),
  ];
}
