// Owns where a link comes from: the estate itself (a comment, a column of a list), then data contracts, then
// patterns. INVARIANT: places that disagree give no link: the object carries what each of them says, in the
// attribute `link_conflicts`, and a person decides.
import type { SourceDescription, SourceObject, SourceReader } from '../object/index.js';
import { type ContractLinks, matchContracts } from './contract.js';
import { type LinkPattern, matchPatterns } from './pattern.js';

/** What gives links beside the estate. */
export interface LinkPlaces {
  readonly contracts: readonly ContractLinks[];
  readonly patterns: readonly LinkPattern[];
}

/** What they say of the objects of one source; undefined: of objects whose source is not known. */
export function placesOf({ contracts, patterns }: LinkPlaces, source: string | undefined): LinkPlaces {
  const isOf = (each: { readonly source?: string | undefined }) =>
    each.source === undefined || each.source === source;
  return { contracts: contracts.filter(isOf), patterns: patterns.filter(isOf) };
}

/** The attribute of an object whose places disagree: link → the different values, the nearest first. */
export const CONFLICTS = 'link_conflicts';

/** An object with the links of all places. */
export function placeLinks({ contracts, patterns }: LinkPlaces): (object: SourceObject) => SourceObject {
  const [contractsOf, patternsOf] = [matchContracts(contracts), matchPatterns(patterns)];
  return (object) => {
    const said = new Map<string, Set<string>>();
    for (const links of [object.links, ...contractsOf(object), patternsOf(object)])
      for (const [link, value] of Object.entries(links)) {
        const values = said.get(link);
        if (values === undefined) said.set(link, new Set([value]));
        else values.add(value);
      }
    // As the comment of a table does: its team answers for its columns, unless something names another.
    if (!said.has('owner') && object.parent !== null) {
      const owners = contractsOf(object.parent).flatMap(({ owner }) => owner ?? []);
      if (owners.length > 0) said.set('owner', new Set(owners));
    }
    const entries = [...said].map(([link, values]) => [link, [...values]] as const);
    const conflicts = entries.filter(([, values]) => values.length > 1);
    return {
      ...object,
      attributes:
        conflicts.length === 0
          ? object.attributes
          : { ...object.attributes, [CONFLICTS]: Object.fromEntries(conflicts) },
      links: Object.fromEntries(
        entries.flatMap(([link, [value, ...others]]) =>
          value === undefined || others.length > 0 ? [] : [[link, value]],
        ),
      ),
    };
  };
}

/** A reader whose objects have the links of all places; memory does not grow with the estate. */
export function withPlaces(reader: SourceReader, places: LinkPlaces): SourceReader {
  const place = placeLinks(places);
  return {
    describe(): SourceDescription {
      const { classes, links } = reader.describe();
      const named = [...places.contracts, ...places.patterns].flatMap((each) => Object.keys(each.links));
      return { classes, links: [...new Set([...links, ...named])] };
    },
    async *read() {
      for await (const object of reader.read()) yield place(object);
    },
    close: async () => reader.close?.(),
  };
}
