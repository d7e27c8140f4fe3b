// Owns the inputs of verdicts besides the groups themselves: the class map, decisions, terminal statuses and
// settings, read once for any number of groups. Rules come from the content of a ruleset, facts from the
// host. It also owns the hashes over the inputs: equal inputs need no new evaluation.
import { z } from 'zod';
import { defineSetting, type Transaction } from '../../db/index.js';
import {
  type CollectionDecision,
  type CoverageProfile,
  type RulesetContent,
  readDecisions,
  settingIn,
  terminalStatuses,
} from '../../host/index.js';
import { type ClassMap, readClassMap, scopesIn } from '../../inventory/group/index.js';
import { canonicalJson, domainHash, type JsonValue } from '../../kernel/index.js';
import { type InputRules, readInputRules } from '../input/index.js';
import {
  type Decided,
  decideVerdict,
  requiredLinksIn,
  type VerdictFacts,
  withholdVerdict,
} from './precedence.js';
import { type RequestedRows, readRequested } from './requested.js';
import { readSharedFacts, type SharedFacts } from './shared.js';

export const defaultTtl = defineSetting({
  key: 'verdict.default_ttl_seconds',
  form: z.int().positive(),
  default: 86400,
  about: 'seconds a verdict is valid when its profile sets no time',
});

export interface Rules {
  /** The rules that all of this follows from, together with the facts of the host. */
  readonly content: RulesetContent;
  readonly map: ClassMap;
  readonly profiles: ReadonlyMap<string, CoverageProfile | null>;
  readonly decisions: ReadonlyMap<string, CollectionDecision>;
  readonly terminal: ReadonlySet<string>;
  /** The class-0 collections, classes and objects that shared data refers to. */
  readonly shared: SharedFacts;
  /** The objects that need a row of their own although a container represents them. */
  readonly requested: RequestedRows;
  readonly scopes: readonly string[];
  readonly defaultTtlSeconds: bigint;
  readonly input: InputRules;
  /**
   * Why no verdict may be decided. New groups and objects then get a dirty row with this reason; existing
   * rows stay unchanged.
   */
  readonly withheld?: string;
}

/**
 * Reads the rules in force, or those of `content`, and the facts they apply to, in a fixed number of
 * statements. The caller may pass a class map of the same state instead.
 */
export async function readRules(
  tx: Transaction,
  known: { readonly map?: ClassMap | undefined; readonly content?: RulesetContent } = {},
): Promise<Rules> {
  const map = known.map ?? (await readClassMap(tx, tx.schema, known.content));
  const { content } = map;
  const scopes = scopesIn(content);
  const decisions = await readDecisions(tx, content);
  const ttl = settingIn(content, defaultTtl);
  return {
    content,
    map,
    profiles: new Map(map.classes.map((each) => [each.name, each.profile])),
    decisions,
    terminal: terminalStatuses(content),
    shared: await readSharedFacts(tx, map, decisions),
    // Other rules may let other classes inherit.
    requested: await readRequested(tx, { anyClass: known.content !== undefined }),
    scopes,
    defaultTtlSeconds: BigInt(ttl),
    input: await readInputRules(tx, content, scopes),
  };
}

/** The inputs of a group. */
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
  /**
   * The fingerprint of the members at the grain; null when the class inherits, because members are then not
   * part of the input.
   */
  readonly fingerprint: JsonValue;
  readonly gone: boolean;
}

/** The facts about a group, or about one of its objects with the differences in `own`. */
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

/**
 * Stands in place of the input hash of a withheld verdict. It equals no hash, so a withheld verdict is always
 * evaluated again.
 */
export const WITHHELD = 'withheld';

/** The verdict for `facts` under `rules`. */
export function decideBy(rules: Rules, facts: VerdictFacts): Decided {
  return rules.withheld === undefined ? decideVerdict(facts) : withholdVerdict(rules.withheld);
}

/**
 * Hash of the inputs that a group shares with its objects: dimensions, profile in the scope, decision. The
 * ruleset version is not included: rows are kept per version.
 */
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

/** Hash of all inputs of the verdict of a group. */
export function groupHash(basis: string, group: GroupInput, facts: VerdictFacts): string {
  return hash('gcos-candidate-group', [basis, group.owner, group.gone, group.fingerprint, facts.inputState]);
}

/**
 * Hash of the inputs that an object does not share with its group. It follows the basis in the input hash of
 * an object.
 */
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

/** The dependencies of a row: a change of any of these values makes it dirty. */
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
