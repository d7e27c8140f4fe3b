// Owns finding the hashes that occur more than once, among more of them than fit into memory. It keeps those
// of one range of values; if they become too many, the range ends earlier, and the rest is left to a further
// pass. A number in a typed array takes eight bytes, and sorting brings equal ones together.
import { endianness } from 'node:os';

export const LOWEST_HASH = -(1n << 63n);
export const HIGHEST_HASH = (1n << 63n) - 1n;
/**
 * Room for a table of so many births is taken first, then all of it: memory that is not written costs
 * nothing.
 */
const SMALL = 1_000_000;
/** How full a range is planned: hashes are spread evenly, but not exactly. */
const FULL = 90n;

/** The numbers in a text of 16 hex digits each, in the order of bytes in which PostgreSQL sends them. */
function numbersIn(hex: string): BigInt64Array {
  // Not Buffer.from: its memory may begin anywhere in a shared pool.
  const bytes = Buffer.alloc(hex.length / 2);
  bytes.write(hex, 'hex');
  if (endianness() === 'LE') bytes.swap64();
  return new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
}

export class SharedHashes {
  readonly low: bigint;
  #high: bigint;
  readonly #most: number;
  #kept: BigInt64Array;
  readonly #shared = new Set<bigint>();
  #count = 0;

  /** Keeps at most `most` hashes at a time. INVARIANT: that is more than one call of `add` brings. */
  constructor(low: bigint, high: bigint, most: number) {
    this.low = low;
    this.#high = high;
    this.#most = most;
    this.#kept = new BigInt64Array(Math.min(most, SMALL));
  }

  /** The end of the range: the hashes above it are left to a further pass. */
  get high(): bigint {
    return this.#high;
  }

  /** Adds hashes of the range. */
  add(hex: string): void {
    let numbers = numbersIn(hex);
    const isFull = () => this.#count + numbers.length > this.#kept.length;
    if (isFull() && this.#kept.length < this.#most) this.#grow();
    if (isFull()) this.#compact();
    while (isFull()) {
      this.#high = this.low + (this.#high - this.low) / 2n;
      const isIn = (each: bigint) => each <= this.#high;
      numbers = numbers.filter(isIn);
      this.#count = this.#kept.subarray(0, this.#count).findLastIndex(isIn) + 1;
    }
    this.#kept.set(numbers, this.#count);
    this.#count += numbers.length;
  }

  /** The hashes that were added more than once. */
  shared(): ReadonlySet<bigint> {
    this.#compact();
    return this.#shared;
  }

  /** Where the next range should end so that its hashes fit, if they are spread like those of this one. */
  nextHigh(): bigint {
    const room = (BigInt(this.#most) * FULL) / BigInt(Math.max(this.#count, 1));
    const next = this.#high + ((this.#high - this.low + 1n) * room) / 100n;
    return next < HIGHEST_HASH ? next : HIGHEST_HASH;
  }

  #grow(): void {
    const kept = new BigInt64Array(this.#most);
    kept.set(this.#kept.subarray(0, this.#count));
    this.#kept = kept;
  }

  /** Sorts the hashes, keeps each once, and notes those that were there more than once. */
  #compact(): void {
    this.#kept.subarray(0, this.#count).sort();
    // Two halves of a number are compared without creating an object.
    const halves = new Int32Array(this.#kept.buffer);
    let distinct = 0;
    for (let index = 0; index < this.#count; index += 1) {
      const from = index * 2;
      const last = distinct * 2 - 2;
      if (distinct > 0 && halves[from] === halves[last] && halves[from + 1] === halves[last + 1]) {
        this.#shared.add(this.#kept[index] ?? 0n);
        continue;
      }
      halves[distinct * 2] = halves[from] ?? 0;
      halves[distinct * 2 + 1] = halves[from + 1] ?? 0;
      distinct += 1;
    }
    this.#count = distinct;
  }
}
