// Owns the finding that a source could not be read. Its objects are watched as of its last complete sync, so
// the gate blocks once that is too long ago; the finding says so before.
import type { Transaction } from '../db/index.js';
import {
  type FindingContext,
  type Observation,
  type Transitions,
  writeFindings,
} from '../record/finding/index.js';
import { failingSources } from '../source/object/index.js';

const FAILED = 'source_failed';

/** Raises or resolves one finding per source. */
export async function syncSourceFindings(
  tx: Transaction,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  const observations = (await failingSources(tx)).map(
    ({ name, kind, readAt, failure }): Observation => ({
      type: FAILED,
      subject: name,
      entityType: 'source',
      entityCode: name,
      evidence: {
        kind,
        code: failure?.code ?? null,
        error: failure?.message ?? null,
        failing_since: failure?.since ?? null,
        read_at: readAt,
      },
    }),
  );
  return writeFindings(tx, observations, {
    ...context,
    evaluated: { types: [FAILED], subjects: 'all' },
  });
}
