// What the map draws: groups as tiles, or their classes or owners. The members of a container all have its
// outcome; the members of other groups have the outcomes of their units.
import type { RouteLocationRaw } from 'vue-router';
import type { components } from '../../api/schema';
import { TERMS, type TermKey } from '../../composables/terms.js';

export type Mapped = components['schemas']['MappedGroup'];
export type Grouping = 'class' | 'owner';
export type Measure = 'members' | 'units';

/** The outcomes that the map tells apart, worst first, so that what is wrong stands at the beginning. */
export const OUTCOMES = [
  { key: 'orphans', label: 'orphans', tone: 'bad' },
  { key: 'unverified', label: 'unverified', tone: 'unknown' },
  { key: 'exceptions', label: 'exceptions', tone: 'warn' },
  { key: 'covered', label: 'covered', tone: 'good' },
  { key: 'rest', label: 'nothing required', tone: 'rest' },
] as const;
type Outcome = (typeof OUTCOMES)[number]['key'];
type Sizes = Readonly<Record<Outcome, number>>;

export interface Tile {
  readonly key: string;
  readonly name: string;
  /** A second name: the status of a group. */
  readonly detail: string;
  readonly sizes: Sizes;
  readonly size: number;
  readonly to: RouteLocationRaw;
}

export const UNOWNED = 'no owner';
const NOTHING: Sizes = { orphans: 0, unverified: 0, exceptions: 0, covered: 0, rest: 0 };

const outcomeOf = (term: string): Outcome =>
  OUTCOMES.find(({ key }) => key === term)?.key ??
  (TERMS.some(({ key }) => key === (term as TermKey)) || term === 'not_relevant' ? 'rest' : 'unverified');

const totalOf = (sizes: Sizes): number => OUTCOMES.reduce((sum, { key }) => sum + sizes[key], 0);

/** What each owner has of a group, by outcome, in members or in units. */
function sharesOf(group: Mapped, measure: Measure): { owner: string; sizes: Sizes }[] {
  const units = group.owners.flatMap(({ terms }) => terms).reduce((sum, each) => sum + each.units.count, 0);
  const members = group.recorded_members === null ? 0 : Number(group.recorded_members);
  // What has no unit in this scope has not been evaluated in it: that is not known.
  if (units === 0)
    return measure === 'units' ? [] : [{ owner: UNOWNED, sizes: { ...NOTHING, unverified: members } }];
  const scale = measure === 'units' ? 1 : members / units;
  return group.owners.map(({ owner, terms }) => {
    const sizes = { ...NOTHING };
    for (const { term, units: of } of terms) sizes[outcomeOf(term)] += of.count * scale;
    return { owner: owner ?? UNOWNED, sizes };
  });
}

function add(tiles: Map<string, Tile>, tile: Omit<Tile, 'size'>): void {
  const found = tiles.get(tile.key)?.sizes ?? NOTHING;
  const sizes = { ...found };
  for (const { key } of OUTCOMES) sizes[key] += tile.sizes[key];
  tiles.set(tile.key, { ...tile, sizes, size: totalOf(sizes) });
}

interface View {
  readonly by: Grouping;
  readonly measure: Measure;
  /** The class or owner that is shown; empty: all. */
  readonly zoom: string;
  readonly zoomTo: (name: string) => RouteLocationRaw;
}

/** The tiles of a view, the largest first. */
export function tilesOf(groups: readonly Mapped[], { by, measure, zoom, zoomTo }: View): Tile[] {
  const tiles = new Map<string, Tile>();
  for (const group of groups)
    for (const { owner, sizes } of sharesOf(group, measure)) {
      const name = by === 'class' ? group.object_class : owner;
      if (zoom === '') add(tiles, { key: name, name, detail: '', sizes, to: zoomTo(name) });
      else if (name === zoom)
        add(tiles, {
          key: group.inventory_key,
          name: group.collection,
          detail: group.lifecycle_status ?? '',
          sizes,
          to: { name: 'group', params: { key: group.inventory_key } },
        });
    }
  return [...tiles.values()]
    .filter(({ size }) => size > 0)
    .sort((left, right) => right.size - left.size || (left.key < right.key ? -1 : 1));
}

/** Tiles that can be seen, and how many there are beyond them. */
export function visible(tiles: readonly Tile[]): { shown: readonly Tile[]; hidden: readonly Tile[] } {
  const total = tiles.reduce((sum, { size }) => sum + size, 0);
  const SMALLEST = 0.0015;
  const shown = tiles.filter(({ size }) => size / total >= SMALLEST);
  return { shown, hidden: tiles.slice(shown.length) };
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
export const formatSize = (size: number): string => compact.format(Math.round(size));

/** A tile in words, for those who hear the page and for its tooltip. */
export function sentenceOf({ name, detail, size, sizes }: Tile, measure: Measure): string {
  const parts = OUTCOMES.filter(({ key }) => sizes[key] > 0).map(
    ({ key, label }) => `${label} ${Math.max(1, Math.round((sizes[key] / size) * 100))} %`,
  );
  return `${name}${detail === '' ? '' : `, ${detail}`}: ${formatSize(size)} ${measure}; ${parts.join(', ')}`;
}
