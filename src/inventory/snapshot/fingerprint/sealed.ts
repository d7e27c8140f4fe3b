// Owns the sealed digest: the sum of SHA-256 over the rows of a group, modulo 2²⁵⁶. The plain sums detect
// accidental changes; this digest also resists an attacker who crafts rows so that the plain sums stay equal.
// It costs about five times as much.
import { fillParts, type Transaction } from '../../../db/index.js';
import type { ClassMap } from '../../group/index.js';
import { boundsOf, groupOf, memberStatusTable, type ReadOptions } from './fingerprint.js';
import { sealBirths, sealMembers } from './fingerprint.sql.js';
import { walkRanges } from './range.js';

const MODULUS = 1n << 256n;

interface Words {
  readonly w1: string;
  readonly w2: string;
  readonly w3: string;
  readonly w4: string;
}

/** Combines the sums of the four signed words into one number. */
const sumOf = ({ w1, w2, w3, w4 }: Words): bigint =>
  (BigInt(w1) << 192n) + (BigInt(w2) << 128n) + (BigInt(w3) << 64n) + BigInt(w4);

/** Inventory key → digest as 64 hex digits. */
export async function readSealedDigests(
  tx: Transaction,
  map: ClassMap,
  options: ReadOptions,
): Promise<ReadonlyMap<string, string>> {
  const bounds = await boundsOf(tx);
  const sums = new Map<string, bigint>();
  if (bounds === undefined) return new Map();
  const collections = map.individual;
  const members = fillParts(sealMembers, { members: memberStatusTable(map) });
  await walkRanges(tx, bounds, options, async (range) => {
    const births = await tx.run(sealBirths, { ...range, collections });
    const single = collections.length === 0 ? [] : await tx.run(members, { ...range, collections });
    return () => {
      for (const row of [...births, ...single]) {
        const { key } = groupOf(map, row);
        sums.set(key, (sums.get(key) ?? 0n) + sumOf(row));
      }
    };
  });
  const hex = (sum: bigint) => (((sum % MODULUS) + MODULUS) % MODULUS).toString(16).padStart(64, '0');
  return new Map([...sums].map(([key, sum]) => [key, hex(sum)]));
}
