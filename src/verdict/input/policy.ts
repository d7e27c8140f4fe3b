// Owns the rules of the input gate, all of them data: limits, contracts, trust in sources, and the
// collections that are not accepted as a whole. One run reads them once, in a fixed number of statements.
import { z } from 'zod';
import { defineSetting, type Transaction } from '../../db/index.js';
import { type RulesetContent, settingIn } from '../../host/index.js';
import { readContracts, readHome, readTrust, readWhole } from './policy.sql.js';
import { type InputState, UNTRUSTED } from './states.js';

const limits = z.strictObject({
  code_length: z.int().positive(),
  born_after: z.iso.datetime({ offset: true }),
  future_seconds: z.int().nonnegative(),
});
/** The limits for births of every collection. */
type InputLimits = z.infer<typeof limits> & {
  /** Whether a code with control characters is malformed. */
  readonly printable: boolean;
};
/** A code in a home is what the estate itself calls the object, however long and with any characters. */
const OF_HOMES = { code_length: 2 ** 31 - 1, printable: false };
export const inputLimits = defineSetting({
  key: 'input.limits',
  form: limits,
  default: { code_length: 512, born_after: '2000-01-01T00:00:00Z', future_seconds: 86400 },
  about:
    'a birth whose code is longer, or whose date lies before or further in the future than this, is malformed',
});

const level = z.enum(['trusted', 'monitored', 'denied']);
export type TrustLevel = z.infer<typeof level>;
const policy = z.strictObject({
  trust_by_risk: z.record(z.string(), level),
  contract_required: z.array(z.string()),
  quarantine_after: z.int().positive(),
  most_objects: z.int().nonnegative(),
});
export const inputPolicy = defineSetting({
  key: 'input.policy',
  form: policy,
  default: {
    trust_by_risk: { write_high: 'denied', write_low: 'denied', read: 'monitored', descriptive: 'monitored' },
    contract_required: ['write_high'],
    quarantine_after: 3,
    most_objects: 10000,
  },
  about:
    'trust in sources without a row, by the risk of the class; risks that need a contract; relapses until an object is quarantined; how many objects of one collection may be untrusted before the whole collection is',
});

/** The source of a birth. */
interface Source {
  readonly collection: string;
  /** The dot_origin; null: the birth names none, and its collection is its source. */
  readonly origin: string | null;
  /**
   * The risk of its class; null: the class has no profile. Then only an explicit denial applies, because the
   * verdict is unknown in any case.
   */
  readonly risk: string | null;
}

export interface InputRules {
  readonly limits: InputLimits;
  readonly quarantineAfter: number;
  /**
   * How many objects of one collection may be untrusted individually before the whole collection is
   * untrusted.
   */
  readonly mostObjects: number;
  readonly scopes: readonly string[];
  /** Collections whose contract requires checking every birth. */
  readonly strict: readonly string[];
  /**
   * Origins that a trust decision accepts in every scope; likewise collections, for births without an origin.
   */
  readonly knownOrigins: readonly string[];
  readonly knownCollections: readonly string[];
  /** Collections that are denied in some scope, whatever the origin of the birth. */
  readonly deniedCollections: readonly string[];
  /** The trust level of the source in `scope`. */
  trustIn(source: Source, scope: string): TrustLevel;
  /** The scopes in which the source is denied, in their order. */
  deniedIn(source: Source): readonly string[];
  /** Whether births of the collection need a contract and there is none. */
  lacksContract(collection: string, risk: string | null): boolean;
  /** The state of a whole collection in `scope`; null: accepted, except for single objects. */
  wholeIn(collection: string, scope: string): InputState | null;
}

const EVERY_SCOPE = '*';

/** Unique per source: texts of the server contain no zero byte. */
const trustKey = (kind: string, source: string, scope: string): string => `${kind}\0${source}\0${scope}`;

/**
 * The rules of the input gate in `content`, with the contracts, decisions and states that people recorded.
 */
export async function readInputRules(
  tx: Transaction,
  content: RulesetContent,
  scopes: readonly string[],
): Promise<InputRules> {
  const { home } = await tx.one(readHome, {});
  const found = settingIn(content, inputPolicy);
  const contracts = await tx.run(readContracts, {});
  const contracted = new Set(contracts.map((row) => row.collection_name));
  const rows = await tx.run(readTrust, {});
  const trust = new Map(rows.map((row) => [trustKey(row.source_kind, row.source, row.scope), row.level]));
  const trustOf = (kind: 'origin' | 'collection', source: string, scope: string): TrustLevel | undefined => {
    const own = trust.get(trustKey(kind, source, scope));
    const any = own === undefined || own === 'default' ? trust.get(trustKey(kind, source, EVERY_SCOPE)) : own;
    return any === undefined || any === 'default' ? undefined : (any as TrustLevel);
  };
  const trustIn = ({ collection, origin, risk }: Source, scope: string): TrustLevel => {
    const ofCollection = trustOf('collection', collection, scope);
    if (ofCollection === 'denied') return 'denied';
    const own = origin === null ? ofCollection : trustOf('origin', origin, scope);
    if (own !== undefined) return own;
    return risk === null ? 'monitored' : (found.trust_by_risk[risk] ?? 'denied');
  };
  const named = (kind: 'origin' | 'collection') => [
    ...new Set(rows.filter((row) => row.source_kind === kind).map((row) => row.source)),
  ];
  const isKnown = (kind: 'origin' | 'collection') => (source: string) =>
    scopes.every((scope) => !['denied', undefined].includes(trustOf(kind, source, scope)));
  const whole = new Map((await tx.run(readWhole, {})).map((row) => [row.collection_name, row] as const));
  return {
    limits: { ...settingIn(content, inputLimits), printable: true, ...(home ? OF_HOMES : {}) },
    quarantineAfter: found.quarantine_after,
    mostObjects: found.most_objects,
    scopes,
    strict: contracts.filter((row) => row.strict).map((row) => row.collection_name),
    knownOrigins: named('origin').filter(isKnown('origin')),
    knownCollections: named('collection').filter(isKnown('collection')),
    deniedCollections: named('collection').filter((source) =>
      scopes.some((scope) => trustOf('collection', source, scope) === 'denied'),
    ),
    trustIn,
    deniedIn: (source) => scopes.filter((scope) => trustIn(source, scope) === 'denied'),
    lacksContract: (collection, risk) =>
      risk !== null && found.contract_required.includes(risk) && !contracted.has(collection),
    wholeIn(collection, scope) {
      const row = whole.get(collection);
      if (row === undefined) return null;
      return row.scopes === null || row.scopes.includes(scope) ? (row.input_state as InputState) : null;
    },
  };
}

/** `input` with exactly these collections not accepted as a whole. */
export function withWhole(
  input: InputRules,
  whole: readonly {
    readonly collection: string;
    readonly state: InputState;
    readonly scopes: readonly string[] | null;
  }[],
): InputRules {
  const found = new Map(whole.map((each) => [each.collection, each]));
  return {
    ...input,
    wholeIn(collection, scope) {
      const each = found.get(collection);
      return each !== undefined && (each.scopes === null || each.scopes.includes(scope)) ? each.state : null;
    },
  };
}

/**
 * The states of one object in `scope`: the one that applies in every scope, and the trust state of this
 * scope.
 */
export function stateIn(
  scope: string,
  own: { readonly state: InputState | null; readonly deniedIn: readonly string[] },
): readonly (InputState | null)[] {
  return [own.state, own.deniedIn.includes(scope) ? UNTRUSTED : null];
}
