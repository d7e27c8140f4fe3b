// Owns finding keys with more than one birth, over the whole table. The first pass gathers a narrow hash of
// each key. The second pass compares the full keys, only for the hashes that occur more than once. Both read
// pages.
import type { Transaction } from '../../../db/index.js';
import { type WalkBirthsOptions, walkBirths } from '../../../inventory/tail/index.js';
import { countKeys, readKeyHashes } from './duplicates.sql.js';
import type { ObjectKey } from './pick.js';
import { HIGHEST_HASH, LOWEST_HASH, SharedHashes } from './shared-hashes.js';

/** 48 MB of hashes: two passes for ten million births, about twenty for a hundred million. */
const MOST_HASHES = 6_000_000;
/** A page of hashes is in memory several times: as sent, as text, and as numbers. */
const HASHES_AT_ONCE = 250_000;

export interface DuplicateOptions extends Pick<WalkBirthsOptions, 'pageSize' | 'onPage'> {
  /** How many hashes are kept at a time; more than a page has births. */
  readonly mostHashes?: number;
}

async function findShared(tx: Transaction, options: DuplicateOptions): Promise<readonly bigint[]> {
  const shared = new Set<bigint>();
  let [low, high] = [LOWEST_HASH, HIGHEST_HASH];
  for (;;) {
    const pass = new SharedHashes(low, high, options.mostHashes ?? MOST_HASHES);
    await walkBirths(tx, { pageSize: HASHES_AT_ONCE, ...options }, async (page) => {
      const { hashes } = await tx.one(readKeyHashes, { ...page, low, high: pass.high });
      return () => pass.add(hashes);
    });
    for (const hash of pass.shared()) shared.add(hash);
    if (pass.high === HIGHEST_HASH) return [...shared];
    low = pass.high + 1n;
    high = pass.nextHigh();
  }
}

/** The keys with more than one birth. Writes nothing, so it can run beside other work. */
export async function readDuplicateBirths(
  tx: Transaction,
  options: DuplicateOptions = {},
): Promise<readonly ObjectKey[]> {
  const hashes = await findShared(tx, options);
  if (hashes.length === 0) return [];
  const keys = new Map<string, ObjectKey & { readonly births: bigint }>();
  await walkBirths(tx, options, async (page) => {
    const found = await tx.run(countKeys, { ...page, hashes });
    return () => {
      for (const { collection_name: collection, entity_code: code, births } of found) {
        const name = JSON.stringify([collection, code]);
        keys.set(name, { collection, code, births: births + (keys.get(name)?.births ?? 0n) });
      }
    };
  });
  return [...keys.values()]
    .filter(({ births }) => births > 1n)
    .map(({ collection, code }) => ({ collection, code }));
}
