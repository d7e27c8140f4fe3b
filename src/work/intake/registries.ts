// Owns the mapping from a changed registry row to the affected groups, for its old and its new content: the
// collection, class, family, scope or owner it names, the objects that refer to it, or the groups its rule
// reaches.
import type { Transaction } from '../../db/index.js';
import type { RulesetContent } from '../../host/index.js';
import { type Rule, reachIn } from '../../rule/ruleset/index.js';
import type { Rules } from '../../verdict/candidate/index.js';
import type { ObjectKey } from '../../verdict/input/index.js';
import { changesOfActivations } from './activations.js';
import type { Change } from './change.js';
import type { Facts } from './facts.js';
import { collectionsByClass, type Places, placeObjects } from './place.js';
import { findExecuted, findReferring } from './registries.sql.js';
import { ACTIVATIONS } from './watch/registries.js';
import { type Difference, MEMBER, type RowFacts } from './watch.js';

type Row = RowFacts[number];
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const some = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

/** The raw content of a row, before lookups: facts, an object, a rule or an approval. */
interface Described {
  readonly facts?: Facts;
  readonly object?: ObjectKey;
  readonly rule?: Rule;
  readonly approval?: string;
}

function ofSubject(row: Row, collections: ReadonlyMap<string, readonly string[]>): readonly Described[] {
  const [type, ref, scope] = [text(row['object_type']), text(row['object_ref']), text(row['scope'])];
  if (type === undefined || ref === undefined) return [];
  const within = scope === undefined ? {} : { scope };
  if (type === 'collection') return [{ facts: { collection: ref, ...within } }];
  if (type === 'class') return [{ facts: { objectClass: ref, ...within } }];
  return (collections.get(type) ?? []).map((collection) => ({
    facts: within,
    object: { collection, code: ref },
  }));
}

function describedBy(
  source: string,
  key: readonly string[],
  row: Row,
  collections: ReadonlyMap<string, readonly string[]>,
): readonly Described[] {
  const fact = (facts: Facts | undefined) => some(facts).map((each) => ({ facts: each }));
  const one = (field: keyof Facts, value: string | undefined) =>
    fact(value === undefined ? undefined : { [field]: value });
  if (source.startsWith(MEMBER))
    return some(key[0]).map((code) => ({ object: { collection: source.slice(MEMBER.length), code } }));
  switch (source) {
    case 'collection_registry':
      return one('collection', text(row['collection_name']));
    case 'meta_catalog':
      return one('collection', text(row['registry_collection']) ?? text(row['collection_name']));
    case 'axis_owner':
      return one('axisFamily', text(row['axis_family']));
    case 'scope_owner':
      return one('scope', text(row['scope_code']));
    case 'governance_registry':
      return one('owner', text(row['code']));
    case 'normative_registry':
      return some(text(row['law_code'])).map((code) => ({ rule: { kind: 'law', code } }));
    case 'governance_object_ownership':
      return ofSubject(row, collections);
    case 'exception_registry': {
      const scope = text(row['scope']);
      const [collection, code] = [text(row['subject_collection']), text(row['subject_code'])];
      const within = scope === undefined ? {} : { scope };
      if (collection === undefined) return [];
      if (code === undefined) return [{ facts: { collection, ...within } }];
      return [{ facts: within, object: { collection, code } }];
    }
    case 'approval_requests':
      return some(text(row['code'])).map((approval) => ({ approval }));
    default:
      return [];
  }
}

/**
 * The scopes in which the class of a collection requires an approval; undefined if the class has no profile.
 */
function approvalScopes(rules: Rules, collection: string): readonly string[] | undefined {
  const links = rules.map.classOf(collection, null).profile?.requiredLinks;
  if (links === undefined) return undefined;
  return Object.keys(links).filter((scope) => links[scope]?.includes('approval'));
}

/** What refers to the approvals: members in the scopes that require one, and ownership subjects. */
async function referring(
  tx: Transaction,
  approvals: readonly string[],
  rules: Rules,
  collections: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, readonly Described[]>> {
  const found = new Map<string, Described[]>();
  if (approvals.length === 0) return found;
  for (const row of await tx.run(findReferring, { approvals })) {
    const facts = JSON.parse(row.facts) as Row;
    const approval = String(facts['approval_ref']);
    const key = (JSON.parse(row.row_key) as unknown[]).map(String);
    const plain = describedBy(row.source, key, facts, collections);
    const about = plain.flatMap((each): readonly Described[] => {
      const scopes = each.object === undefined ? undefined : approvalScopes(rules, each.object.collection);
      return row.source.startsWith(MEMBER) && scopes !== undefined
        ? scopes.map((scope) => ({ ...each, facts: { ...each.facts, scope } }))
        : [each];
    });
    found.set(approval, [...(found.get(approval) ?? []), ...about]);
  }
  return found;
}

/**
 * Groups whose units are executed or created by changed members: their authority comes from these members.
 */
async function executedBy(
  tx: Transaction,
  differences: readonly Difference[],
): Promise<ReadonlyMap<string, readonly Facts[]>> {
  const tools = differences
    .filter((each) => each.watched.source.startsWith(MEMBER))
    .flatMap((each) => some(each.key[0]));
  const found = new Map<string, Facts[]>();
  if (tools.length === 0) return found;
  for (const { tool, inventory_key: inventoryKey } of await tx.run(findExecuted, { tools }))
    found.set(tool, [...(found.get(tool) ?? []), { inventoryKey }]);
  return found;
}

function reaches(content: RulesetContent, rules: readonly Rule[]): ReadonlyMap<Rule, readonly Facts[]> {
  const found = reachIn(content, rules);
  return new Map(
    rules.map((rule, index) => {
      const reach = found[index];
      const facts = (reach?.constraints ?? []).map(({ scope, axisFamily, sourceRegistry }) => ({
        ...(scope === null ? {} : { scope }),
        ...(axisFamily === null ? {} : { axisFamily }),
        ...(sourceRegistry === null ? {} : { collection: sourceRegistry }),
      }));
      return [rule, reach === undefined || reach.everything ? [{ everything: true }] : facts];
    }),
  );
}

/** The member that changed; any other row is named by its key. */
function objectsOf({ watched, key: [code] }: Difference): Pick<Change, 'objects'> {
  if (!watched.source.startsWith(MEMBER) || code === undefined) return {};
  return { objects: [{ collection: watched.source.slice(MEMBER.length), code }] };
}

/** Event types are members of a registry, too; GCOS owns those of its domain. */
const isOwn = ({ watched, key }: Difference): boolean =>
  watched.table === 'event_type_registry' && (key[0] ?? '').startsWith('governance.');

function actionOf({ watched, action, after }: Difference, rules: Rules): string {
  if (!watched.source.startsWith(MEMBER) || action === 'removed') return action;
  const registry = rules.map.classes.find((each) => each.registry?.name === watched.table)?.registry;
  const values = ['status', registry?.lifecycle?.migrationColumn ?? ''].map((name) => text(after[0]?.[name]));
  return values.some((value) => value !== undefined && rules.terminal.has(value)) ? 'retired' : action;
}

/** The differences in registries as changes; differences that GCOS caused are only counted. */
export async function changesOfRegistries(
  tx: Transaction,
  differences: readonly Difference[],
  rules: Rules,
): Promise<{ readonly changes: readonly Change[]; readonly own: number }> {
  const foreign = differences.filter((each) => !isOwn(each));
  const own = differences.length - foreign.length;
  if (foreign.length === 0) return { changes: [], own };
  const collections = await collectionsByClass(tx);
  const rows = foreign.map((difference) => ({
    difference,
    about: [...difference.before, ...difference.after].flatMap((row) =>
      describedBy(difference.watched.source, difference.key, row, collections),
    ),
  }));
  const referrers = await referring(
    tx,
    rows.flatMap(({ about }) => about.flatMap((each) => some(each.approval))),
    rules,
    collections,
  );
  const full = rows.map(({ difference, about }) => ({
    difference,
    about: about.flatMap((each) =>
      each.approval === undefined ? [each] : (referrers.get(each.approval) ?? []),
    ),
  }));
  const everything = full.flatMap(({ about }) => about);
  const places: Places = await placeObjects(
    tx,
    rules.map,
    everything.flatMap((each) => some(each.object)),
  );
  const reach = reaches(
    rules.content,
    everything.flatMap((each) => some(each.rule)),
  );
  const factsOf = (each: Described): readonly Facts[] => {
    if (each.rule !== undefined) return reach.get(each.rule) ?? [];
    if (each.object === undefined) return some(each.facts);
    const inventoryKey = places(each.object);
    return inventoryKey === undefined ? [] : [{ ...each.facts, inventoryKey }];
  };
  const executed = await executedBy(tx, foreign);
  const executedOf = ({ watched, key }: Difference): readonly Facts[] =>
    watched.source.startsWith(MEMBER) ? (executed.get(key[0] ?? '') ?? []) : [];
  const changes = full
    .filter(({ difference }) => difference.watched.source !== ACTIVATIONS)
    .map(({ difference, about }): Change => {
      const { source, table } = difference.watched;
      return {
        source: source.startsWith(MEMBER) ? 'member_registry' : source,
        action: actionOf(difference, rules),
        table,
        ref: difference.key.join(':'),
        facts: [...about.flatMap(factsOf), ...executedOf(difference)],
        ...objectsOf(difference),
      };
    });
  return { own, changes: [...changes, ...(await changesOfActivations(tx, foreign))] };
}
