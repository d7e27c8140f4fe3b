// Owns what the gate judges by, all of it data: limits, contracts, trust in sources, and which collections as a whole are not
// accepted. Read once per run, in a fixed number of statements.
import { z } from 'zod';
import { readSetting, type Transaction } from '../../db/index.js';
import { readContracts, readTrust, readWhole } from './policy.sql.js';
import { type InputState, UNTRUSTED } from './states.js';

const limits = z.strictObject({
  code_length: z.int().positive(),
  born_after: z.iso.datetime({ offset: true }),
  future_seconds: z.int().nonnegative(),
});
/** What holds for births of every collection. */
type InputLimits = z.infer<typeof limits>;
const DEFAULT_LIMITS: InputLimits = {
  code_length: 512,
  born_after: '2000-01-01T00:00:00Z',
  future_seconds: 86_400,
};

const level = z.enum(['trusted', 'monitored', 'denied']);
export type TrustLevel = z.infer<typeof level>;
const policy = z.strictObject({
  trust_by_risk: z.record(z.string(), level),
  contract_required: z.array(z.string()),
  quarantine_after: z.int().positive(),
  most_objects: z.int().nonnegative(),
});
type Policy = z.infer<typeof policy>;
const DEFAULT_POLICY: Policy = {
  trust_by_risk: { write_high: 'denied', write_low: 'denied', read: 'monitored', descriptive: 'monitored' },
  contract_required: ['write_high'],
  quarantine_after: 3,
  most_objects: 10_000,
};

/** Where a birth comes from. */
interface Source {
  readonly collection: string;
  /** Its dot_origin; null: it names none, and its collection is its source. */
  readonly origin: string | null;
  /** Of its class; null where nobody described it: only an explicit denial holds against it, the verdict is unknown anyway. */
  readonly risk: string | null;
}

export interface InputRules {
  readonly limits: InputLimits;
  readonly quarantineAfter: number;
  /** How many objects of one collection may be untrusted, each by itself, before the whole collection is. */
  readonly mostObjects: number;
  readonly scopes: readonly string[];
  /** Collections whose contract needs a look at every single birth. */
  readonly strict: readonly string[];
  /** Origins that are denied in no scope; collections, for births that name no origin. */
  readonly knownOrigins: readonly string[];
  readonly knownCollections: readonly string[];
  /** Collections that are denied in some scope, whoever gives birth. */
  readonly deniedCollections: readonly string[];
  /** How far the source is trusted in `scope`. */
  trustIn(source: Source, scope: string): TrustLevel;
  /** The scopes in which the source is denied, in their order. */
  deniedIn(source: Source): readonly string[];
  /** Whether births of the collection need a contract and there is none. */
  lacksContract(collection: string, risk: string | null): boolean;
  /** What holds for all of a collection in `scope`; null: it is accepted, apart from single objects. */
  wholeIn(collection: string, scope: string): InputState | null;
}

const EVERY_SCOPE = '*';

/** A text that no two sources share: the server's texts have no zero bytes. */
const trustKey = (kind: string, source: string, scope: string): string => `${kind}\0${source}\0${scope}`;

/** Reads everything. */
export async function readInputRules(tx: Transaction, scopes: readonly string[]): Promise<InputRules> {
  const found = await readSetting(tx, 'input.policy', policy, DEFAULT_POLICY);
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
    limits: await readSetting(tx, 'input.limits', limits, DEFAULT_LIMITS),
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

/** `input` as it would be if exactly these collections were not accepted as a whole. */
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

/** The state of one object in `scope`, of those that hold for it everywhere and the scopes it is denied in. */
export function stateIn(
  scope: string,
  own: { readonly state: InputState | null; readonly deniedIn: readonly string[] },
): readonly (InputState | null)[] {
  return [own.state, own.deniedIn.includes(scope) ? UNTRUSTED : null];
}
