// Owns what-if: what putting a ruleset into force would do, with nothing written. The plan's hash is what an approval binds
// to: the version, the one it follows, every change and its reach, and everything that flips there. How many groups that is
// today is shown, not bound: births go on while people decide.
import { readServerTime, type Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { activeScopes } from '../../inventory/group/index.js';
import { canonicalJson, domainHash, type JsonValue } from '../../kernel/index.js';
import {
  type ChangeReach,
  changeText,
  compareBytes,
  contentOf,
  DEFAULT_FAMILY,
  diffContent,
  encodeContent,
  type RulesetContent,
  reachOfChanges,
  readActive,
  readContent,
} from '../../rule/ruleset/index.js';
import { type Flips, NOTHING_FLIPS } from './flip.js';
import { matchGroups } from './plan.sql.js';
import { previewFlips } from './preview.js';

interface PlannedChange {
  readonly text: string;
  /** Where it holds, in words; "everything" also when nobody mapped the rule. */
  readonly reach: string;
  readonly unmapped: boolean;
  readonly groups: bigint;
}

export interface Plan {
  readonly from: string | null;
  readonly to: string;
  readonly hash: string;
  readonly changes: readonly PlannedChange[];
  readonly groups: { readonly total: bigint; readonly dirtied: bigint; readonly carried: bigint };
  /** When it was made: what depends on time is judged then. */
  readonly at: string;
  readonly flips: Flips;
}

const ALL = -1;
const TOTAL = -2;

function reachText(reach: ChangeReach): string {
  if (reach.everything) return reach.unmapped ? 'everything: nobody mapped the rule' : 'everything';
  if (reach.constraints.length === 0) return 'no verdict: only what the gate does';
  const parts = reach.constraints.map((each) =>
    [
      each.scope === null ? undefined : `scope ${each.scope}`,
      each.axisFamily === null ? undefined : `axis ${each.axisFamily}`,
      each.sourceRegistry === null ? undefined : `registry ${each.sourceRegistry}`,
      each.classPattern === null ? undefined : `class ${each.classPattern}`,
    ]
      .filter((part) => part !== undefined)
      .join(', '),
  );
  return [...new Set(parts)].sort().join('; ');
}

interface Matched {
  readonly counts: ReadonlyMap<number, bigint>;
  /** Keys of the groups that any change concerns. */
  readonly reached: readonly string[];
}

async function findGroups(tx: Transaction, reaches: readonly ChangeReach[]): Promise<Matched> {
  const rows = reaches.flatMap((reach, index) =>
    (reach.everything
      ? [{ scope: null, axisFamily: null, sourceRegistry: null, classPattern: null }]
      : reach.constraints
    ).map((constraint) => ({ index, ...constraint })),
  );
  const found = await tx.run(matchGroups, {
    changeNos: rows.map((row) => row.index),
    scopes: rows.map((row) => row.scope ?? ''),
    axisFamilies: rows.map((row) => row.axisFamily ?? ''),
    sourceRegistries: rows.map((row) => row.sourceRegistry ?? ''),
    classPatterns: rows.map((row) => row.classPattern ?? ''),
    activeScopes: await activeScopes(tx),
  });
  return {
    counts: new Map(found.map((row) => [row.change_no, row.groups])),
    reached: found.find((row) => row.change_no === ALL)?.group_keys ?? [],
  };
}

/**
 * What an approval holds for. Of the flips those that the change reaches, each for itself: what flips elsewhere waits for a scan anyway, and
 * the terms of the ledger follow from the flips, but also from time and from births that flip nothing.
 */
function hashOf(from: string | null, to: string, reaches: readonly ChangeReach[], flips: Flips): string {
  const changes = JSON.parse(JSON.stringify(reaches)) as JsonValue;
  const units = (list: Flips['verdicts']): JsonValue =>
    list
      .filter((each) => each.bound)
      .map((each) =>
        canonicalJson([each.inventoryKey, each.sourceRegistry, each.code, each.scope, each.from, each.to]),
      )
      .sort(compareBytes);
  const bound = {
    verdicts: units(flips.verdicts),
    outcomes: units(flips.outcomes),
    findings: flips.findings
      .filter((each) => each.bound)
      .map((each) => canonicalJson([each.change, each.key]))
      .sort(compareBytes),
    gates: flips.gates
      .filter((each) => each.bound)
      .map((each) =>
        canonicalJson([each.sourceRegistry, each.code ?? [each.inventoryKey], each.from, each.to]),
      )
      .sort(compareBytes),
    missed_canaries: [...flips.missedCanaries].sort(compareBytes),
  };
  return domainHash('gcos-plan', canonicalJson({ format: 'gcos-plan/2', from, to, changes, flips: bound }));
}

/** Nothing is in force yet: every rule is new, and everything is looked at. */
function firstReach(after: RulesetContent): ChangeReach[] {
  const nothing: RulesetContent = { ...after, components: [] };
  return reachOfChanges(diffContent(nothing, after), nothing, after);
}

/** A plan, and the keys of the groups it dirties: what activation does is what the plan counted. */
export interface ReachingPlan {
  readonly plan: Plan;
  readonly reached: readonly string[];
}

/** What activating the rules in the tables would do. */
export async function makePlan(tx: Transaction, mapping: HostMapping): Promise<Plan> {
  return (await makeReachingPlan(tx, mapping)).plan;
}

export async function makeReachingPlan(tx: Transaction, mapping: HostMapping): Promise<ReachingPlan> {
  const at = await readServerTime(tx);
  const active = await readActive(tx, DEFAULT_FAMILY);
  const after = await readContent(tx);
  const { version } = encodeContent(after);
  const before = active === undefined ? undefined : await contentOf(tx, active.version);
  const reaches =
    before === undefined ? firstReach(after) : reachOfChanges(diffContent(before, after), before, after);
  const { counts, reached } = await findGroups(tx, reaches);
  const total = counts.get(TOTAL) ?? 0n;
  const dirtied = before === undefined ? total : (counts.get(ALL) ?? 0n);
  // Where no rule changes, a scan may find something, but no ruleset is what makes it flip.
  const flips =
    reaches.length === 0
      ? NOTHING_FLIPS
      : await previewFlips(tx, { mapping, at, version, content: after, reaches });
  const plan = {
    at,
    flips,
    from: active?.version ?? null,
    to: version,
    hash: hashOf(active?.version ?? null, version, reaches, flips),
    changes: reaches.map((reach, index) => ({
      text: changeText(reach.change),
      reach: reachText(reach),
      unmapped: reach.unmapped,
      groups: counts.get(index) ?? 0n,
    })),
    groups: { total, dirtied, carried: total - dirtied },
  };
  return { plan, reached };
}
