// Owns the plan of an activation: the effect of activating a ruleset, without writing anything. An approval
// binds to the hash of the plan: the version, its predecessor, every change with its reach, and all flips
// there. The number of groups is shown but not bound, since births continue while approvers decide.
import { readServerTime, type Transaction } from '../../db/index.js';
import {
  compareBytes,
  DEFAULT_FAMILY,
  encodeContent,
  type RulesetContent,
  readContent,
} from '../../host/index.js';
import { scopesIn } from '../../inventory/group/index.js';
import { canonicalJson, domainHash, type JsonValue } from '../../kernel/index.js';
import {
  type ChangeReach,
  changeText,
  contentOf,
  diffContent,
  reachOfChanges,
  readActive,
} from '../../rule/ruleset/index.js';
import { type Flips, NOTHING_FLIPS } from './flip.js';
import { matchGroups } from './plan.sql.js';
import { previewFlips } from './preview.js';

export interface PlannedChange {
  readonly text: string;
  /** The reach as text; "everything" also for a rule without a mapping. */
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
  /** The time of the plan: time-dependent verdicts are evaluated at this time. */
  readonly at: string;
  readonly flips: Flips;
}

const ALL = -1;
const TOTAL = -2;

function reachText(reach: ChangeReach): string {
  if (reach.everything) return reach.unmapped ? 'everything: the rule has no mapping' : 'everything';
  if (reach.constraints.length === 0)
    return reach.change.key.startsWith('gate.') ? 'no verdict: only the effect of the gate' : 'no verdict';
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

/** How many groups each change reaches, all changes together, and how many there are. */
async function countGroups(
  tx: Transaction,
  reaches: readonly ChangeReach[],
  scopes: readonly string[],
): Promise<{ readonly each: readonly bigint[]; readonly any: bigint; readonly total: bigint }> {
  // Many changes have the same reach, such as all detectors of a law: each reach is matched once.
  const sets = new Map<string, { readonly no: number; readonly constraints: ChangeReach['constraints'] }>();
  const nos = reaches.map(({ everything, constraints }) => {
    if (everything) return TOTAL;
    const name = canonicalJson(JSON.parse(JSON.stringify(constraints)) as JsonValue);
    const set = sets.get(name) ?? { no: sets.size, constraints };
    sets.set(name, set);
    return set.no;
  });
  const rows = [...sets.values()].flatMap(({ no, constraints }) =>
    constraints.map((constraint) => ({ no, ...constraint })),
  );
  const found = await tx.run(matchGroups, {
    setNos: rows.map((row) => row.no),
    scopes: rows.map((row) => row.scope ?? ''),
    axisFamilies: rows.map((row) => row.axisFamily ?? ''),
    sourceRegistries: rows.map((row) => row.sourceRegistry ?? ''),
    classPatterns: rows.map((row) => row.classPattern ?? ''),
    activeScopes: scopes,
  });
  const groups = new Map(found.map((row) => [row.set_no, row.groups]));
  const total = groups.get(TOTAL) ?? 0n;
  return {
    each: nos.map((no) => groups.get(no) ?? 0n),
    any: nos.includes(TOTAL) ? total : (groups.get(ALL) ?? 0n),
    total,
  };
}

/**
 * The hash that an approval binds to. It covers the flips that the change reaches, each of them. Other flips
 * happen with the next scan anyway, and the ledger terms follow from the flips, but also from time and from
 * births without a flip.
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

/** The first activation: every rule is new, and everything is evaluated. */
function firstReach(after: RulesetContent): ChangeReach[] {
  const nothing: RulesetContent = { ...after, components: [] };
  return reachOfChanges(diffContent(nothing, after), nothing, after);
}

/** The effect of activating the rules in the tables. `unitsAtOnce`: how many units are held at once. */
export async function makePlan(
  tx: Transaction,
  options: { readonly unitsAtOnce?: number } = {},
): Promise<Plan> {
  const at = await readServerTime(tx);
  const active = await readActive(tx, DEFAULT_FAMILY);
  const after = await readContent(tx);
  const { version } = encodeContent(after);
  const before = active === undefined ? undefined : await contentOf(tx, active.version);
  const reaches =
    before === undefined ? firstReach(after) : reachOfChanges(diffContent(before, after), before, after);
  const counts = await countGroups(tx, reaches, scopesIn(after));
  const { total } = counts;
  const dirtied = before === undefined ? total : counts.any;
  // Without a changed rule, a scan may still find differences, but the ruleset does not cause them.
  const flips =
    reaches.length === 0
      ? NOTHING_FLIPS
      : await previewFlips(tx, { ...options, at, version, content: after, reaches });
  return {
    at,
    flips,
    from: active?.version ?? null,
    to: version,
    hash: hashOf(active?.version ?? null, version, reaches, flips),
    changes: reaches.map((reach, index) => ({
      text: changeText(reach.change),
      reach: reachText(reach),
      unmapped: reach.unmapped,
      groups: counts.each[index] ?? 0n,
    })),
    groups: { total, dirtied, carried: total - dirtied },
  };
}
