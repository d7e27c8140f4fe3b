// Owns reading gcos.yaml with the data contracts that it names.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { GcosError, hasCode, parseYaml } from '../../kernel/index.js';
import { type ChosenKit, kit, withOverrides } from '../../source/kit/index.js';
import {
  CONFLICTS,
  type LinkPattern,
  type LinkPlaces,
  placeLinks,
  placesOf,
  readContract,
} from '../../source/link/index.js';
import type { SourceOptions } from '../../source/object/index.js';
import { type ConfigurationDocument, documentForm } from './document.js';
import { configurationErrors } from './errors.js';

export interface ConfiguredSource {
  readonly name: string;
  readonly kind: string;
  readonly options: SourceOptions;
}

export interface Configuration {
  readonly file: string;
  readonly document: ConfigurationDocument;
  /** What contracts and patterns say of objects, for the sources. */
  readonly places: LinkPlaces;
  /** The sources that fill this home. */
  readonly sources: readonly ConfiguredSource[];
  /** The kits of this home, as this team uses them. */
  readonly kits: readonly ChosenKit[];
  /** Objects that contracts name, and about which contracts and patterns disagree. */
  readonly disagreements: readonly string[];
}

function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw configurationErrors.config_unreadable(`cannot read \`${name}\``, { cause });
  }
}

const patternOf = ({
  match,
  source,
  class: objectClass,
  ...links
}: ConfigurationDocument['owners'][number]): LinkPattern => ({
  match,
  ...(source === undefined ? {} : { source }),
  ...(objectClass === undefined ? {} : { class: objectClass }),
  links: Object.fromEntries(
    Object.entries(links).filter((each): each is [string, string] => each[1] !== undefined),
  ),
});

/** Where a source is, as its kind reads it: a path is relative to the document. */
function located(file: string, source: ConfigurationDocument['sources'][string]): SourceOptions {
  const { location } = source;
  const near = (path: string): string => resolve(dirname(file), path);
  if (source.kind !== 'file')
    return { location: location.startsWith('file:') ? `file:${near(location.slice(5))}` : location };
  const { class: objectClass, code, identity, links } = source;
  return {
    location: near(location),
    class: objectClass,
    code,
    links,
    ...(identity === undefined ? {} : { identity }),
  };
}

/** INVARIANT: an owner is never a guess: places that disagree are named before anything is applied. */
function disagreementsOf(places: LinkPlaces): readonly string[] {
  const sources = new Set([...places.contracts, ...places.patterns].map((each) => each.source));
  return [...new Set([...sources].flatMap((source) => disagreementsIn(placesOf(places, source))))];
}

function disagreementsIn(places: LinkPlaces): readonly string[] {
  const place = placeLinks(places);
  const named = new Map(places.contracts.map((each) => [`${each.kind} ${each.code}`, each]));
  return [...named].flatMap(([subject, { kind, code }]) => {
    const { attributes } = place({
      class: kind,
      code,
      identity: null,
      parent: null,
      attributes: {},
      links: {},
    });
    const conflicts = Object.entries((attributes[CONFLICTS] ?? {}) as Record<string, readonly string[]>);
    return conflicts.map(([link, values]) => `${subject}: ${link} is ${values.join(' or ')}`);
  });
}

/** Reads the file; throws with line and column for what cannot be read. */
export function readConfiguration(file: string): Configuration {
  const { value: document, problemAt } = parseYaml({ name: file, text: readText(file, file) }, documentForm);
  const contracts = document.contracts.flatMap((each, index) => {
    const { file: name, ...of } = typeof each === 'string' ? { file: each } : each;
    const path = resolve(dirname(file), name);
    try {
      return readContract({ name, text: readText(path, name) }).map((links) => ({ ...of, ...links }));
    } catch (error) {
      if (hasCode(error, 'config_unreadable'))
        throw problemAt(['contracts', index], `cannot read \`${name}\``);
      throw error;
    }
  });
  const places = { contracts, patterns: document.owners.map(patternOf) };
  const sources = Object.entries(document.sources).map(([name, source]) => ({
    name,
    kind: source.kind,
    options: located(file, source),
  }));
  const kits = Object.entries(document.kits).map(([name, overrides]) => {
    try {
      return withOverrides(kit(name), overrides);
    } catch (error) {
      throw error instanceof GcosError ? problemAt(['kits', name], error.message) : error;
    }
  });
  return { file, document, places, sources, kits, disagreements: disagreementsOf(places) };
}
