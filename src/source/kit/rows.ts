// Owns the rows of a kit in the tables of rules: scopes, profiles, detectors and the settings that say what a
// link must look like. Writing them is no change of the rules in force: that takes a draft and its approval.
import type { Transaction } from '../../db/index.js';
import { countingQuery } from './detector-query.js';
import { kitErrors } from './document.js';
import type { ChosenKit } from './kit.js';
import { readOtherProfiles, writeDetectors, writeProfiles, writeScopes } from './rows.sql.js';

/** The law that a measurement of a kit names. */
const lawOf = ({ name, version }: ChosenKit): string => `kit/${name}/${version}`;

const scopeRows = (kit: ChosenKit) =>
  kit.scopes.map((each) => ({ scope_code: each.code, default_owner_hint: each.about }));

/** The profiles of a kit, as rows. */
export const profileRows = (kit: ChosenKit) =>
  kit.profiles.map((each) => ({
    profile_code: `${kit.name}:${each.class}`,
    class_pattern: each.class,
    risk_class: each.risk,
    ttl: each.ttl,
    inherits: each.inherits,
    required_links: each.links,
  }));

/** The detectors of a kit, as rows. */
export const detectorRows = (kit: ChosenKit) =>
  kit.detectors.map((each) => ({
    measurement_id: `${kit.name}:${each.id}`,
    measurement_name: each.about,
    law_code: lawOf(kit),
    source_query: countingQuery(each),
    severity: each.severity,
    enabled: !kit.disabled.includes(each.id),
  }));

/** How many rows changed. */
export interface KitChange {
  readonly scopes: number;
  readonly profiles: number;
  readonly detectors: number;
}

/**
 * Writes the rows of a kit; rows of its earlier versions that it no longer has are retired. Repeating it
 * changes nothing. The login must be able to write the tables, as the owner of a home is.
 */
export async function writeKit(tx: Transaction, kit: ChosenKit): Promise<KitChange> {
  const prefix = `${kit.name}:`;
  const profiles = profileRows(kit);
  const patterns = profiles.map((each) => each.class_pattern);
  const others = await tx.run(readOtherProfiles, { prefix, patterns });
  if (others.length > 0)
    throw kitErrors.kit_conflict(
      `kit \`${kit.name}\`: there is another profile for ${others.map((each) => `\`${each.class_pattern}\``).join(', ')}`,
      { facts: { profiles: others.map((each) => each.profile_code) } },
    );
  const count = (rows: readonly unknown[]) => rows.length;
  return {
    scopes: count(await tx.run(writeScopes, { scopes: JSON.stringify(scopeRows(kit)) })),
    profiles: count(await tx.run(writeProfiles, { prefix, profiles: JSON.stringify(profiles) })),
    detectors: count(await tx.run(writeDetectors, { prefix, detectors: JSON.stringify(detectorRows(kit)) })),
  };
}

type Json = Readonly<Record<string, unknown>>;
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * The settings that a kit needs, made of those in force: in which column of a member registry a link is, and
 * what its text must look like. What the settings say otherwise stays.
 */
export function kitSettings(
  kit: ChosenKit,
  current: { readonly linkColumns: Json; readonly linkEvidence: readonly unknown[] },
): Readonly<Record<string, unknown>> {
  const member = (current.linkColumns['member'] ?? {}) as Json;
  const columns = kit.links.map(({ link }) => {
    const known = listIn(member[link]);
    const column = `${link}_ref`;
    return [link, known.includes(column) ? known : [...known, column]] as const;
  });
  const said = new Set(current.linkEvidence.map((each) => JSON.stringify(each)));
  const added = kit.links.filter((each) => !said.has(JSON.stringify(each)));
  return {
    'verdict.link_columns': { ...current.linkColumns, member: { ...member, ...Object.fromEntries(columns) } },
    'verdict.link_evidence': [...current.linkEvidence, ...added],
  };
}
