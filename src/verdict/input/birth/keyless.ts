// Owns the report about births without a key: they lack an id, a collection, a code or a time of birth. They
// belong to no group, and no question to the gate can name them. They are set aside: counted, reported, and
// never part of a fingerprint.
import type { Transaction } from '../../../db/index.js';
import type { Observation } from '../../../record/finding/index.js';
import { countKeyless, sampleKeyless } from './keyless.sql.js';

/** The finding is about the table, because these births have no collection or no code. */
export const KEYLESS = { type: 'input_invalid_schema', subject: 'birth_registry' } as const;
const NAMED = 5n;

/** One observation for all of them; none if every birth has a key. */
export async function observeKeyless(tx: Transaction): Promise<readonly Observation[]> {
  const { births } = await tx.one(countKeyless, {});
  if (births === 0n) return [];
  const sample = await tx.run(sampleKeyless, { limit: NAMED });
  return [
    {
      ...KEYLESS,
      rootCause: 'key_missing',
      entityType: 'table',
      entityCode: KEYLESS.subject,
      evidence: {
        cause: 'key_missing',
        births: String(births),
        sample: sample.map(({ id, lacks }) => ({ ...(id === null ? {} : { id }), lacks })),
      },
    },
  ];
}
