// Owns what a home gets before its first ruleset: the rules of a kit, a person, a body that answers for the
// rules, and the approval policy of a small team. INVARIANT: once a ruleset is in force only the rows of the
// kit are written: everything else is a decision of people by then.
import type { Transaction } from '../../db/index.js';
import { approvalPolicy } from '../../record/approval/index.js';
import { chosenKit, writeKitRules, writeSettings } from '../configuration/index.js';
import { insertBody, insertPerson } from './rules.sql.js';

/** The body that a home begins with. */
const OPERATORS = 'gcos-operators';

export interface ProvidedRules {
  /** How many rows of the kit changed. */
  readonly changed: number;
  /** Whether the home got its first person, body and policy. */
  readonly begun: boolean;
}

/** What a home of a small team begins with. */
const FIRST: Readonly<Record<string, unknown>> = {
  'ruleset.owner': OPERATORS,
  'finding.bodies': { council: OPERATORS, siv: OPERATORS },
  [approvalPolicy.key]: { approvals: 1, self_approval: true },
};

/** Writes the rows of the kit `name`; a change of them is in force once it is approved. */
export async function provideRules(
  tx: Transaction,
  name: string,
  { first }: { readonly first: boolean },
): Promise<ProvidedRules> {
  const kitChanges = await writeKitRules(tx, await chosenKit(tx, name));
  const settings = first ? await writeSettings(tx, FIRST) : 0;
  if (first) await tx.run(insertBody, { code: OPERATORS });
  if (first) await tx.run(insertPerson, {});
  return { changed: kitChanges + settings, begun: first };
}
