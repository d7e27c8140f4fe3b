// Owns the arithmetic of an estate's size. The large tables scale with it, registries and malformed rows stay
// complete, and every collection keeps enough births for each of its situations. Integer arithmetic only.
import { demoErrors } from './errors.js';
import { malformedBirths } from './spec/malformed-births.js';
import { memberRegistries } from './spec/registries.js';
import { type Strain, strains } from './spec/strains.js';

/** Births on the reference host. */
export const FULL_SIZE = 1_037_724;
const SMALLEST_SIZE = 2_000;
const LARGEST_SIZE = 100_000_000;

/** With fewer births, a collection with `ages` would lack one of its statuses. */
const SMALLEST_STRAIN = 12;
const CERTIFIED_AT_FULL_SIZE = 1_402;

interface SizedStrain extends Strain {
  /** Births at this size. */
  readonly size: number;
  /** The first slot of its members among all bulk births. */
  readonly firstSlot: number;
}

export interface EstateSize {
  readonly births: number;
  readonly registryBirths: number;
  readonly bulkBirths: number;
  readonly malformedBirths: number;
  readonly certifiedBulkBirths: number;
  readonly changes: number;
  readonly issues: number;
  readonly events: number;
  readonly reads: number;
  readonly strains: readonly SizedStrain[];
  /**
   * Coprime to bulkBirths: stepping through the slots by it visits each once and mixes the collections
   * evenly.
   */
  readonly stride: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** About 0.618 of `modulus`, increased until the two have no common divisor. */
function goldenStride(modulus: number): number {
  let stride = Math.floor((modulus * 618) / 1_000);
  while (greatestCommonDivisor(stride, modulus) !== 1) stride += 1;
  return stride;
}

/**
 * Distributes `total` births among the strains: a minimum for each, the rest in proportion, and the rounding
 * remainder to the strain with `takesRest`.
 */
function sizeStrains(total: number): SizedStrain[] {
  const minimum = SMALLEST_STRAIN * strains.length;
  const atFullSize = sum(strains.map((strain) => strain.births));
  const spare = total - minimum;
  const sizes = strains.map(({ births }) => {
    const share = BigInt(births - SMALLEST_STRAIN) * BigInt(spare);
    return SMALLEST_STRAIN + Number(share / BigInt(atFullSize - minimum));
  });
  const rest = total - sum(sizes);
  let firstSlot = 0;
  return strains.map((strain, index) => {
    const size = (sizes[index] ?? 0) + (strain.takesRest ? rest : 0);
    const sized = { ...strain, size, firstSlot };
    firstSlot += size;
    return sized;
  });
}

/** The size of each part of an estate of `rows` births. */
export function sizeEstate(rows: number): EstateSize {
  if (!Number.isInteger(rows) || rows < SMALLEST_SIZE || rows > LARGEST_SIZE) {
    throw demoErrors.demo_rows_invalid(`\`${rows}\` is not a size the demo estate can have`);
  }
  const scaled = (atFullSize: number) => Math.round((atFullSize * rows) / FULL_SIZE);
  const certifiedMembers = memberRegistries.filter((registry) => registry.certified);
  const bornMembers = (registries: typeof memberRegistries) =>
    sum(registries.map(({ members, neverBorn }) => members - neverBorn.length));
  const registryBirths = bornMembers(memberRegistries);
  const bulkBirths = rows - registryBirths - malformedBirths.length;
  return {
    births: rows,
    registryBirths,
    bulkBirths,
    malformedBirths: malformedBirths.length,
    certifiedBulkBirths: scaled(CERTIFIED_AT_FULL_SIZE - bornMembers(certifiedMembers)),
    changes: scaled(68_323),
    issues: scaled(190_288),
    events: scaled(181_712),
    reads: scaled(181_351),
    strains: sizeStrains(bulkBirths),
    stride: goldenStride(bulkBirths),
  };
}
