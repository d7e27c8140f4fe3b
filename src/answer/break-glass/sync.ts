// Owns the finding about a broken glass: open from the moment the way past the gate is open, and until what went through has been looked at
// again after it was closed. That its time is over resolves nothing.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import {
  NO_TRANSITIONS,
  type Observation,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { markRows } from '../../verdict/candidate/index.js';
import { readAny, sync } from './sync.sql.js';

const TYPE = 'gate_break_glass';

/** No two objects are called the same: what is before the first stroke has none of its own. */
const objectName = (collection: string, code: string): string =>
  `${collection.replaceAll('%', '%25').replaceAll('/', '%2F')}/${code}`;

/**
 * Raises, keeps and resolves the findings about all passes, and marks what one was about once it has ended, so that it is looked at again
 * soon. Two passes for one object are one finding: the second reopens what the first had left resolved. Announcing it is the caller's.
 */
export async function syncBreakGlass(
  tx: Transaction,
  context: { readonly mapping: HostMapping; readonly runId: string; readonly at: string },
): Promise<Transitions> {
  const { mapping, runId, at } = context;
  if (!(await tx.one(readAny, { type: TYPE })).seen) return NO_TRANSITIONS;
  const alertLevel = mapping.wordFor('alert_level', 'info') ?? 'info';
  const passes = await tx.run(sync, { at, alertLevel });
  await markRows(
    tx,
    passes.flatMap((pass) =>
      pass.row_ids.map((rowId) => ({ rowId, reason: `break_glass:${pass.pass_code} ended` })),
    ),
    at,
  );
  const subjects = new Map<string, (typeof passes)[number][]>();
  for (const pass of passes) {
    const subject = pass.inventory_key ?? objectName(pass.collection_name ?? '', pass.entity_code ?? '');
    subjects.set(subject, [...(subjects.get(subject) ?? []), pass]);
  }
  const observations = [...subjects].map(([subject, about]): Observation => {
    const [first] = about;
    return {
      type: TYPE,
      subject,
      entityType: first?.collection_name ?? 'inventory_group',
      entityCode: first?.entity_code ?? first?.inventory_key ?? '',
      evidence: {
        passes: about.map((pass) => ({
          pass: pass.pass_code,
          stage: pass.stage,
          action: pass.action,
          approval_ref: pass.approval_ref,
          began_at: pass.began_at,
          ends_at: pass.ends_at,
        })),
      },
    };
  });
  return writeFindings(tx, observations, {
    ...{ mapping, runId, at },
    ruleset: null,
    activeRuleset: null,
    evaluated: { types: [TYPE], subjects: 'all' },
  });
}
