// Owns what verdicts are derived from besides the groups themselves: the class map, decisions, final statuses and settings,
// read once and used for any number of groups. And the hashes over it: equal inputs need no new evaluation.
import { z } from 'zod';
import { readSetting, type Transaction } from '../../db/index.js';
import {
  type CollectionDecision,
  type CoverageProfile,
  readDecisions,
  readTerminalStatuses,
} from '../../host/index.js';
import { activeScopes, type ClassMap, readClassMap } from '../../inventory/group/index.js';
import { canonicalJson, domainHash, type JsonValue } from '../../kernel/index.js';
import { type InputRules, readInputRules } from '../input/index.js';
import {
  type Decided,
  decideVerdict,
  requiredLinksIn,
  type VerdictFacts,
  withholdVerdict,
} from './precedence.js';
import { readSchemaName } from './rules.sql.js';
import { readSharedTruth, type SharedTruth } from './shared.js';

const DEFAULT_TTL_SECONDS = 86_400;

export interface Rules {
  readonly map: ClassMap;
  readonly profiles: ReadonlyMap<string, CoverageProfile | null>;
  readonly decisions: ReadonlyMap<string, CollectionDecision>;
  readonly terminal: ReadonlySet<string>;
  /** What of class 0 somebody refers to. */
  readonly shared: SharedTruth;
  readonly scopes: readonly string[];
  readonly defaultTtlSeconds: bigint;
  readonly input: InputRules;
  /** Why nothing may be decided by them: what is new gets a row that says so and is dirty; what is there is left as it is. */
  readonly withheld?: string;
}

/** Reads everything, in a fixed number of statements; a class map of the same state need not be read again. */
export async function readRules(
  tx: Transaction,
  known: { readonly map?: ClassMap | undefined } = {},
): Promise<Rules> {
  const scopes = await activeScopes(tx);
  const map = known.map ?? (await readClassMap(tx, (await tx.one(readSchemaName, {})).schema_name));
  const decisions = await readDecisions(tx);
  const ttl = await readSetting(tx, 'verdict.default_ttl_seconds', z.int().positive(), DEFAULT_TTL_SECONDS);
  return {
    map,
    profiles: new Map(map.classes.map((each) => [each.name, each.profile])),
    decisions,
    terminal: await readTerminalStatuses(tx),
    shared: await readSharedTruth(tx, map, decisions),
    scopes,
    defaultTtlSeconds: BigInt(ttl),
    input: await readInputRules(tx, scopes),
  };
}

/** What is known of a group before anything is decided. */
export interface GroupInput {
  readonly groupKey: string;
  readonly inventoryKey: string;
  readonly scope: string;
  readonly owner: string | null;
  readonly objectClass: string;
  readonly sourceRegistry: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
  readonly unresolved: VerdictFacts['unresolved'];
  readonly inherits: boolean;
  /** Of the members at the grain; null where the class inherits: its children are no part of the input. */
  readonly fingerprint: JsonValue;
  readonly gone: boolean;
}

/** The facts about a group; about one of its objects, with what is different there. */
export function factsOf(rules: Rules, group: GroupInput, own: Partial<VerdictFacts> = {}): VerdictFacts {
  const profile = rules.profiles.get(group.objectClass) ?? null;
  return {
    scope: group.scope,
    unborn: false,
    unlisted: false,
    inputState: rules.input.wholeIn(group.sourceRegistry, group.scope),
    lifecycleStatus: group.lifecycleStatus,
    terminal: group.lifecycleStatus !== null && rules.terminal.has(group.lifecycleStatus),
    sourceGone: group.gone,
    shared: rules.shared.collections.has(group.sourceRegistry) || rules.shared.classes.has(group.objectClass),
    sharedItself: false,
    decision: rules.decisions.get(group.sourceRegistry) ?? null,
    unresolved: group.unresolved,
    profile,
    profilesAvailable: rules.map.profilesAvailable,
    requiredLinks: requiredLinksIn(profile, group.scope),
    ...own,
  };
}

const HASH_DIGITS = 32;
const hash = (domain: string, value: JsonValue): string =>
  domainHash(domain, canonicalJson(value)).slice(0, HASH_DIGITS);

/** In place of a hash, before a verdict that was withheld: equal to no input, so that it never passes for one. */
export const WITHHELD = 'withheld';

/** What `facts` come to by `rules`. */
export function decideBy(rules: Rules, facts: VerdictFacts): Decided {
  return rules.withheld === undefined ? decideVerdict(facts) : withholdVerdict(rules.withheld);
}

/** Hash of what a group and its objects have in common: dimensions, profile in the scope, decision. Not the ruleset version:
 * the row is kept per version, and going back to one must find its inputs equal. */
export function basisHash(group: GroupInput, facts: VerdictFacts): string {
  const { profile, decision } = facts;
  return hash('gcos-candidate-basis', {
    dimensions: [
      group.objectClass,
      group.sourceRegistry,
      group.axisFamily,
      group.scope,
      group.lifecycleStatus,
      group.unresolved,
      group.inherits,
      facts.terminal,
      facts.shared,
    ],
    profile:
      profile === null
        ? null
        : [
            profile.code,
            profile.riskClass,
            String(profile.ttlSeconds),
            profile.class0,
            [...facts.requiredLinks],
          ],
    decision:
      decision === null ? null : [decision.coverageStatus, decision.coverageScopeStatus, decision.means],
  });
}

/** Hash of everything the verdict of a group is derived from. */
export function groupHash(basis: string, group: GroupInput, facts: VerdictFacts): string {
  return hash('gcos-candidate-group', [basis, group.owner, group.gone, group.fingerprint, facts.inputState]);
}

/** Hash of what an object does not share with its group; follows the basis in an object's input hash. */
export function ownHash(facts: VerdictFacts, owner: string | null): string {
  return hash('gcos-candidate-object', [
    facts.inputState,
    facts.unborn,
    facts.unlisted,
    facts.sourceGone,
    facts.sharedItself,
    owner,
  ]);
}

/** What dirties a row: the values of each kind that its verdict was derived from. */
export function dependsOn(group: GroupInput, owner: string | null): string {
  const some = (value: string | null) => (value === null ? [] : [value]);
  return JSON.stringify({
    collections: [group.sourceRegistry],
    rule_scopes: [group.scope],
    axis_families: some(group.axisFamily),
    classes: [group.objectClass],
    owners: some(owner),
  });
}
