// Owns the kits by name and version, and what a team changes in one. A kit is rules as data: its rows go into
// the tables of rules, from where they are drafted, planned, approved and activated like any other rules.
import { canonicalJson, domainHash, type JsonValue, unknownName } from '../../kernel/index.js';
import { directusBaseline1 } from './directus-baseline-1.js';
import { type KitDocument, type KitOverrides, kitDocument, kitErrors, kitOverrides } from './document.js';
import { postgresBaseline1 } from './postgres-baseline-1.js';

const KITS: readonly KitDocument[] = [postgresBaseline1, directusBaseline1];

/** The kit of this name and version; by default its newest version. */
export function kit(name: string, version?: number): KitDocument {
  const named = KITS.filter((each) => each.name === name);
  if (named.length === 0)
    throw unknownName(name, {
      what: 'kit',
      known: KITS.map((each) => each.name),
      error: kitErrors.kit_unknown,
    });
  const versions = named.map((each) => each.version);
  const wanted = version ?? Math.max(...versions);
  const found = named.find((each) => each.version === wanted);
  if (found !== undefined) return kitDocument.parse(found);
  throw kitErrors.kit_unknown(`kit \`${name}\` has no version ${wanted}`, {
    help: `its versions are ${versions.join(', ')}`,
  });
}

/** Tells two contents of a kit apart. */
export const kitHash = (document: KitDocument): string =>
  domainHash('gcos-kit', canonicalJson(document as unknown as JsonValue)).slice(0, 12);

/** A kit as a team uses it. */
export interface ChosenKit extends KitDocument {
  readonly disabled: readonly string[];
}

function requireNames(what: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((each) => !known.includes(each));
  if (unknown !== undefined) throw unknownName(unknown, { what, known, error: kitErrors.kit_invalid });
}

/** `document` with the overrides of a team. An override of what the kit does not have is an error. */
export function withOverrides(document: KitDocument, given: KitOverrides = {}): ChosenKit {
  const parsed = kitOverrides.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw kitErrors.kit_invalid(
      `kit \`${document.name}\`: ${issue?.path.join('.')}: ${issue?.message ?? 'wrong form'}`,
    );
  }
  const { profiles, detectors } = parsed.data;
  const { name, scopes } = document;
  requireNames(
    `class in kit ${name}`,
    Object.keys(profiles),
    document.profiles.map((each) => each.class),
  );
  requireNames(
    `detector in kit ${name}`,
    Object.keys(detectors),
    document.detectors.map((each) => each.id),
  );
  for (const { links = {} } of Object.values(profiles)) {
    requireNames(
      `scope in kit ${name}`,
      Object.keys(links),
      scopes.map((each) => each.code),
    );
    requireNames(`link in kit ${name}`, Object.values(links).flat(), [
      'owner',
      ...document.links.map((each) => each.link),
    ]);
  }
  return {
    ...document,
    profiles: document.profiles.map((each) => {
      const { risk = each.risk, ttl = each.ttl, links = each.links } = profiles[each.class] ?? {};
      return { ...each, risk, ttl, links };
    }),
    detectors: document.detectors.map((each) => {
      const { severity = each.severity } = detectors[each.id] ?? {};
      return { ...each, severity };
    }),
    disabled: Object.keys(detectors).filter((id) => detectors[id]?.enabled === false),
  };
}
