// Owns which sources of births exist: origins (dot_origin) and collections. A decision about a source that
// does not exist would change nothing.
import type { Transaction } from '../../db/index.js';
import { requireCollection } from '../../host/index.js';
import { requireKnown } from '../../kernel/index.js';
import { listCollections, listOrigins } from './inputs.sql.js';

/** The collections of births and of stored problems, also those that the host no longer lists. */
export async function storedCollections(tx: Transaction): Promise<readonly string[]> {
  return (await tx.run(listCollections, {})).map((row) => row.collection);
}

const readOrigins = async (tx: Transaction): Promise<readonly string[]> =>
  (await tx.run(listOrigins, {})).map((row) => row.source);

/** Throws if `source` is no source; without a kind, it may be an origin or a collection. */
export async function requireSource(
  tx: Transaction,
  source: string,
  kind?: 'origin' | 'collection',
): Promise<void> {
  if (kind === 'origin') requireKnown(source, { what: 'origin of births', known: await readOrigins(tx) });
  else if (kind === 'collection') await requireCollection(tx, source, storedCollections);
  else
    await requireCollection(tx, source, async () => [
      ...(await storedCollections(tx)),
      ...(await readOrigins(tx)),
    ]);
}
