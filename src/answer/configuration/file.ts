// Owns reading gcos.yaml with the data contracts that it names.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hasCode, parseYaml } from '../../kernel/index.js';
import {
  CONFLICTS,
  type LinkPattern,
  type LinkPlaces,
  placeLinks,
  readContract,
} from '../../source/link/index.js';
import { type ConfigurationDocument, documentForm } from './document.js';
import { configurationErrors } from './errors.js';

export interface Configuration {
  readonly file: string;
  readonly document: ConfigurationDocument;
  /** What contracts and patterns say of objects, for the sources. */
  readonly places: LinkPlaces;
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
  class: objectClass,
  ...links
}: ConfigurationDocument['owners'][number]): LinkPattern => ({
  match,
  class: objectClass,
  links: Object.fromEntries(
    Object.entries(links).filter((each): each is [string, string] => each[1] !== undefined),
  ),
});

/** INVARIANT: an owner is never a guess: places that disagree are named before anything is applied. */
function disagreementsOf(places: LinkPlaces): readonly string[] {
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
  const contracts = document.contracts.flatMap((name, index) => {
    const path = resolve(dirname(file), name);
    try {
      return readContract({ name, text: readText(path, name) });
    } catch (error) {
      if (hasCode(error, 'config_unreadable'))
        throw problemAt(['contracts', index], `cannot read \`${name}\``);
      throw error;
    }
  });
  const places = { contracts, patterns: document.owners.map(patternOf) };
  return { file, document, places, disagreements: disagreementsOf(places) };
}
