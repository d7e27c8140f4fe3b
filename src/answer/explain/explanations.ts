// Owns the public operations: explain an object, explain a group. Each is one transaction with a few
// statements.
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { readClassMap } from '../../inventory/group/index.js';
import { requireTime, unknownName } from '../../kernel/index.js';
import { readActive } from '../../rule/ruleset/index.js';
import {
  type Rules,
  readCandidate,
  readGroupRows,
  readObjectRows,
  readRequestsOf,
  readRules,
} from '../../verdict/candidate/index.js';
import { readLegacy } from '../../verdict/coverage/index.js';
import { explainErrors } from './errors.js';
import { type ExceptionsOfUnit, readExceptionsOf } from './exceptions.js';
import {
  type ExplainedGroup,
  explainScope,
  historyOf,
  objectText,
  type ScopeExplanation,
  silenceOf,
} from './explain.js';
import { readFindingsOf } from './findings.js';
import { place, readPlaces } from './place.js';
import { groupText } from './text.js';

export interface Explanation {
  readonly at: string;
  readonly subject:
    | { readonly kind: 'object'; readonly collection: string; readonly code: string }
    | { readonly kind: 'group'; readonly key: string };
  /** Whether a verdict, valid or not, exists in at least one of the scopes shown. */
  readonly known: boolean;
  /** Why there is no verdict, if there is none. */
  readonly whyUnknown: string | null;
  /** Births of the object; the first one counts. */
  readonly births: readonly {
    readonly id: bigint;
    readonly bornAt: string;
    readonly status: string | null;
  }[];
  /** Whether the member registry of its class lists it; null if there is no such registry. */
  readonly listed: boolean | null;
  /** The decision about its collection; null if the collection is not registered. */
  readonly decision: ExplainedDecision | null;
  readonly scopes: readonly ScopeExplanation[];
  /** Until when its group, found by the first backfill, is to be covered; null: it is, or is no legacy. */
  readonly legacy: { readonly until: string; readonly overdue: boolean } | null;
  /** Whether the ruleset in force was approved by the person who proposed it; null: none is in force. */
  readonly rulesetSelfApproved: boolean | null;
  /** The time to find births and rows: on a host without an index on the key, this is a sequential scan. */
  readonly lookupMs: number | null;
}

/** What was decided about a collection, why, and who reviews it. */
export interface ExplainedDecision {
  readonly collection: string;
  readonly coverageStatus: string | null;
  readonly coverageScopeStatus: string | null;
  /** What it means for verdicts: retired, class_0, deferred_birth, unknown (it is open) or in_scope. */
  readonly means: string;
  readonly reason: string | null;
  readonly reviewOwner: string | null;
}

function decisionOf(rules: Rules, collection: string): ExplainedDecision | null {
  const found = rules.decisions.get(collection);
  if (found === undefined) return null;
  const { governanceRole, ...decision } = found;
  return decision;
}

const selfApprovedRules = async (tx: Transaction): Promise<boolean | null> =>
  (await readActive(tx))?.selfApproved ?? null;

/** The deadline of its group, if it is legacy and an orphan in one of the scopes. */
async function legacyOf(
  tx: Transaction,
  rules: Rules,
  at: string,
  inventoryKey: string | undefined,
  scopes: readonly ScopeExplanation[],
): Promise<Explanation['legacy']> {
  if (inventoryKey === undefined || scopes.every((scope) => scope.coverageOutcome !== 'orphan')) return null;
  const found = await readLegacy(tx, rules.content, { at, inventoryKeys: [inventoryKey] });
  return found.get(inventoryKey) ?? null;
}

export interface ExplainOptions {
  readonly scope?: string;
  /** The time at which verdicts must be valid; default: now. */
  readonly at?: string;
}

const NO_EXCEPTIONS: ExceptionsOfUnit = { about: new Map(), changes: new Map(), ownInForce: new Set() };
const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
/** Characters that PostgreSQL text cannot contain. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

function chooseScopes(all: readonly string[], scope: string | undefined): readonly string[] {
  if (scope === undefined) return all;
  if (all.includes(scope)) return [scope];
  throw unknownName(scope, { what: 'active scope', known: all, error: explainErrors.explain_scope_unknown });
}

/** The exceptions about the unit at this place, and about the rows that represent it. */
async function exceptionsOf(
  tx: Transaction,
  at: string,
  places: ReadonlyMap<string | null, ExplainedGroup>,
  code: string | null,
  rows: readonly { readonly rowId: bigint }[],
): Promise<ExceptionsOfUnit> {
  const [any] = places.values();
  if (any === undefined) return NO_EXCEPTIONS;
  return readExceptionsOf(tx, at, {
    registry: any.sourceRegistry,
    code,
    inventoryKey: any.inventoryKey,
    objectClass: any.objectClass,
    rowIds: rows.map((row) => row.rowId),
  });
}

export class Explanations {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Explains one object, by its two-part key. */
  async object(collection: string, code: string, options: ExplainOptions = {}): Promise<Explanation> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const at = options.at === undefined ? await readServerTime(tx) : requireTime('at', options.at);
      const subject = { kind: 'object', collection, code } as const;
      const rulesetSelfApproved = await selfApprovedRules(tx);
      const rules = await readRules(tx, { map: await readClassMap(tx, this.#db.schema) });
      const { map } = rules;
      const scopes = chooseScopes(rules.scopes, options.scope);
      if (UNSTORABLE.test(collection) || UNSTORABLE.test(code)) {
        const why = 'the name contains characters that a database cannot store, so it does not exist';
        return {
          at,
          subject,
          known: false,
          whyUnknown: why,
          births: [],
          listed: null,
          decision: null,
          legacy: null,
          rulesetSelfApproved,
          scopes: [],
          lookupMs: null,
        };
      }
      const started = performance.now();
      const candidate = await readCandidate(tx, { collection, code, map, at });
      const lookupMs = Math.round(performance.now() - started);
      const found = await place(tx, rules, { collection, code }, candidate);
      const inventoryKey = found.group?.key ?? candidate.own[0]?.inventoryKey;
      const past = {
        own: await readObjectRows(tx, { keys: [{ collection, code }], past: true, at }),
        groups:
          inventoryKey === undefined
            ? []
            : await readGroupRows(tx, { inventoryKeys: [inventoryKey], past: true, at }),
      };
      const places = inventoryKey === undefined ? new Map() : await readPlaces(tx, inventoryKey);
      const inherits = found.group?.inherits ?? false;
      const silence =
        found.silence ??
        (inherits || candidate.groups.length === 0
          ? await silenceOf(tx)
          : 'objects of its class are evaluated one by one, and this one has not been evaluated yet');
      const context = {
        subject: objectText(collection, code),
        rules,
        silence,
        history: await historyOf(tx, past),
        exceptions: await exceptionsOf(tx, at, places, code, [...candidate.own, ...candidate.groups]),
        findings: await readFindingsOf(tx, [...candidate.own, ...candidate.groups]),
        requests: found.group?.inherits
          ? await readRequestsOf(tx, { collection, code, objectClass: found.group.objectClass, at })
          : [],
      };
      const explained = scopes.map((scope) =>
        explainScope(context, {
          scope,
          own: candidate.own.find(
            (row) => row.scope === scope && (row.rowState === 'active' || 'source_row_gone' in row.evidence),
          ),
          // Only a container represents its objects; a group of single objects does not.
          group: inherits
            ? candidate.groups.find((row) => row.scope === scope && row.inventoryKey === inventoryKey)
            : undefined,
          place: places.get(scope) ?? null,
          facts: found.facts,
        }),
      );
      const known = explained.some((each) => each.known);
      return {
        at,
        subject,
        known,
        whyUnknown: known ? null : silence,
        births: candidate.births.map(({ id, bornAt, status }) => ({ id, bornAt, status })),
        listed: found.listed,
        decision: decisionOf(rules, collection),
        legacy: await legacyOf(tx, rules, at, inventoryKey, explained),
        rulesetSelfApproved,
        scopes: explained,
        lookupMs,
      };
    });
  }

  /** Explains a group, by its group key, or by the inventory key for all its scopes. */
  async group(key: string, options: ExplainOptions = {}): Promise<Explanation> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const at = options.at === undefined ? await readServerTime(tx) : requireTime('at', options.at);
      const subject = { kind: 'group', key } as const;
      const rulesetSelfApproved = await selfApprovedRules(tx);
      const unborn = { births: [], listed: null, decision: null, legacy: null, lookupMs: null };
      const nothing = { at, subject, rulesetSelfApproved, ...unborn };
      const rules = await readRules(tx, { map: await readClassMap(tx, this.#db.schema) });
      const places = UNSTORABLE.test(key)
        ? new Map<string | null, ExplainedGroup>()
        : await readPlaces(tx, key);
      const [any] = places.values();
      if (any === undefined)
        return { ...nothing, known: false, whyUnknown: 'no group has this key', scopes: [] };
      const rows = await readGroupRows(tx, { inventoryKeys: [any.inventoryKey], past: true, at });
      const live = rows.filter((row) => row.rowState !== 'superseded');
      // A group key selects one scope, an inventory key all of them.
      const [only] = rows.filter((row) => row.groupKey === key).map((row) => row.scope);
      const own = [...places.values()].find((each) => each.groupKey === key);
      const single = only ?? [...places].find(([, each]) => each === own)?.[0] ?? undefined;
      const scopes = chooseScopes(rules.scopes, options.scope).filter(
        (scope) => single === undefined || scope === single,
      );
      const silence = await silenceOf(tx);
      const context = {
        subject: groupText(any),
        rules,
        silence,
        history: await historyOf(tx, { own: [], groups: rows }),
        exceptions: await exceptionsOf(tx, at, places, null, live),
        findings: await readFindingsOf(tx, live),
        requests: [],
      };
      const explained = scopes.map((scope) =>
        explainScope(context, {
          scope,
          own: undefined,
          group: live.find((row) => row.scope === scope),
          place: places.get(scope) ?? null,
          facts: {},
        }),
      );
      const known = explained.some((each) => each.known);
      return {
        ...nothing,
        known,
        whyUnknown: known ? null : silence,
        decision: decisionOf(rules, any.sourceRegistry),
        legacy: await legacyOf(tx, rules, at, any.inventoryKey, explained),
        scopes: explained,
      };
    });
  }
}
