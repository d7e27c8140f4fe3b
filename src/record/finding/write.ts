// Owns writing findings: one row per cause in system_issues, for any number of observations and observers.
// One statement writes everything and returns the changes, so that the layer above can announce them.
import type { Transaction } from '../../db/index.js';
import { readFindingSettings, readFindingTypes } from './catalogue.js';
import { type Draft, foldAbove, groupsAbove } from './ceiling.js';
import { collectDrafts } from './draft.js';
import { type FindingContext, NO_TRANSITIONS, type Observation, type Transitions } from './observation.js';
import { type PreviewedTransition, previewDrafts } from './preview.js';
import { routeFindings } from './route.js';
import { type Clean, NOTHING_CLEAN, storeDrafts } from './store.js';
import { anyOpen, knownKeys } from './store.sql.js';

/**
 * Only an evaluation under the active ruleset may resolve findings: resolving under old rules must not hide
 * what new rules find.
 */
const isActive = (context: FindingContext): boolean => context.ruleset === context.activeRuleset;

/**
 * Whether a finding of an evaluated type is open. Most evaluations find nothing and have nothing to resolve.
 */
async function couldResolve(tx: Transaction, context: FindingContext): Promise<boolean> {
  const types = context.evaluated?.types ?? [];
  if (types.length === 0 || !isActive(context)) return false;
  return (await tx.one(anyOpen, { types })).open;
}

interface Prepared {
  readonly drafts: readonly Draft[];
  readonly clean: Clean;
}

/**
 * The drafts to store for these observations; undefined if there is nothing to write and nothing to resolve.
 */
async function prepare(
  tx: Transaction,
  observations: readonly Observation[],
  context: FindingContext,
): Promise<Prepared | undefined> {
  const { evaluated } = context;
  const names = new Set(observations.map((observation) => observation.type));
  for (const name of evaluated?.types ?? []) names.add(name);
  const types = await readFindingTypes(tx, [...names]);
  const settings = await readFindingSettings(tx);
  if (observations.length === 0 && !(await couldResolve(tx, context))) return undefined;
  const unrouted = collectDrafts(observations, types);
  const routes = await routeFindings(tx, unrouted, settings['finding.bodies'], context.at);
  const drafts = unrouted.map((draft, index) => ({ ...draft, routes: routes[index] ?? [] }));
  const limits = { ceiling: settings['finding.ceiling'], sample: settings['finding.sample'] };
  const above = groupsAbove(drafts, limits);
  const rows = await (above.length === 0
    ? []
    : tx.run(knownKeys, { keys: above.flat().map(({ key }) => key) }));
  const known = new Set(rows.map((row) => row.coalesce_key));
  const clean =
    evaluated === undefined || !isActive(context)
      ? NOTHING_CLEAN
      : {
          types: evaluated.types,
          subjects: evaluated.subjects === 'all' ? null : evaluated.subjects,
          keys: null,
        };
  return { drafts: foldAbove(drafts, above, known, limits), clean };
}

/** Writes the observations and resolves evaluated findings that are clean, in the caller's transaction. */
export async function writeFindings(
  tx: Transaction,
  observations: readonly Observation[],
  context: FindingContext,
): Promise<Transitions> {
  const prepared = await prepare(tx, observations, context);
  if (prepared === undefined) return NO_TRANSITIONS;
  return storeDrafts(tx, prepared.drafts, prepared.clean, context);
}

/** Previews the changes of `writeFindings` in the caller's transaction; writes nothing. */
export async function previewFindings(
  tx: Transaction,
  observations: readonly Observation[],
  context: FindingContext,
): Promise<readonly PreviewedTransition[]> {
  const prepared = await prepare(tx, observations, context);
  if (prepared === undefined) return [];
  return previewDrafts(tx, prepared.drafts, prepared.clean);
}

/** Resolves the open findings with these keys, if the context's ruleset is the active one. */
export async function resolveFindings(
  tx: Transaction,
  keys: readonly string[],
  context: FindingContext,
): Promise<Transitions> {
  if (keys.length === 0 || !isActive(context)) return NO_TRANSITIONS;
  return storeDrafts(tx, [], { types: null, subjects: null, keys }, context);
}
