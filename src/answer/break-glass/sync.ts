// Owns the finding about a break-glass pass: open from the beginning of the pass until its subject was
// re-evaluated after its end. The end of the pass alone does not resolve the finding.
import type { Transaction } from '../../db/index.js';
import {
  NO_TRANSITIONS,
  type Observation,
  type Transitions,
  writeFindings,
} from '../../record/finding/index.js';
import { markRows } from '../../verdict/candidate/index.js';
import { readAny, sync } from './sync.sql.js';

const TYPE = 'gate_break_glass';

/** A unique name per object: slashes in the collection are escaped. */
const objectName = (collection: string, code: string): string =>
  `${collection.replaceAll('%', '%25').replaceAll('/', '%2F')}/${code}`;

/**
 * Raises, keeps and resolves the findings about all passes, and marks the subject of an ended pass for
 * re-evaluation. Two passes for one object share one finding: the second reopens it. The caller announces the
 * transitions.
 */
export async function syncBreakGlass(
  tx: Transaction,
  context: { readonly runId: string; readonly at: string },
): Promise<Transitions> {
  const { runId, at } = context;
  if (!(await tx.one(readAny, { type: TYPE })).seen) return NO_TRANSITIONS;
  const passes = await tx.run(sync, {});
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
      // A pass for production, or for every stage.
      severity: about.some((pass) => pass.stage === 'prod' || pass.stage === null) ? 'critical' : 'high',
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
    ...{ runId, at },
    ruleset: null,
    activeRuleset: null,
    evaluated: { types: [TYPE], subjects: 'all' },
  });
}
