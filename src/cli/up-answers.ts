// What `gcos up` ends with once there is something to answer: the ledger, the fixes that most waits for, one object explained, and what the
// gate says about two.
import type { Explanation, FixPage, GateCheck, Gcos, ShownLedger } from '../index.js';
import { checkLines } from './gate-text.js';
import { ledgerLines } from './ledger.js';
import { formatCount, type Output } from './output.js';
import { printable } from './page.js';

/** An object of the demo estate that can do harm, and lacks something. */
const EXPLAINED = { collection: 'dot_tools', code: 'DOT-117' } as const;
/** One that the gate lets pass, and one that it does not. */
const ASKED = [{ collection: 'dot_tools', code: 'DOT-118' }, EXPLAINED] as const;
const FIXES = 5;

export interface Answers {
  readonly ledger: ShownLedger;
  readonly fixes: FixPage;
  /** Null: there is no such object here. */
  readonly explained: Explanation | null;
  /** Empty, too, where there are no such objects. */
  readonly gate: readonly GateCheck[];
}

/** Undefined before anything was closed. */
export async function readAnswers(gcos: Gcos): Promise<Answers | undefined> {
  const ledger = await gcos.ledgers.show();
  if (!ledger.closed) return undefined;
  const explained = await gcos.explanations.object(EXPLAINED.collection, EXPLAINED.code);
  const gate: GateCheck[] = [];
  if (explained.known) for (const each of ASKED) gate.push(await gcos.gates.check([each]));
  return {
    gate,
    ledger,
    fixes: await gcos.fixes.list({ limit: FIXES }),
    explained: explained.known ? explained : null,
  };
}

function fixLines({ fixes }: FixPage): string[] {
  if (fixes.length === 0) return ['  nothing is known to be missing'];
  return fixes.map(
    ({ objects, members, what, who }) =>
      `  ${formatCount(objects)} ${objects === 1 ? 'unit' : 'units'}${members > 0 ? ` (${formatCount(members)} members)` : ''}: ${printable(what)}; ${printable(who.join(', '))} can`,
  );
}

export function answerLines({ ledger, fixes, explained, gate }: Answers, out: Output): string[] {
  return [
    out.tone('bold', 'The ledger, as last closed'),
    ...ledgerLines(ledger, out).map((line) => `  ${line}`),
    '',
    out.tone('bold', 'What would help most (gcos finding list --by-fix)'),
    ...fixLines(fixes),
    '',
    ...(explained === null
      ? []
      : [
          out.tone('bold', `One object, ${EXPLAINED.collection} ${EXPLAINED.code} (gcos explain says why)`),
          ...explained.scopes.map((scope) => `  ${printable(scope.sentence)}`),
          '',
          out.tone('bold', 'The gate, asked about two tools (gcos gate check)'),
          ...gate.flatMap((check) => checkLines(check, out)).map((line) => `  ${line}`),
          '',
        ]),
  ];
}
