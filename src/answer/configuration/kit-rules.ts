// Owns putting the rules of a kit into the tables of rules, with what this team changes in it: the same
// rows, whether `gcos govern` writes them or `gcos config apply`.
import { readSetting, type Setting, type Transaction } from '../../db/index.js';
import { canonicalJson, type JsonValue } from '../../kernel/index.js';
import {
  type ChosenKit,
  detectorRows,
  kit,
  kitSetting,
  kitSettings,
  profileRows,
  withOverrides,
  writeKit,
} from '../../source/kit/index.js';
import { coverageSettings } from '../../verdict/coverage/index.js';
import { readIntervals, writeSetting } from './kit-rules.sql.js';

type Json = Readonly<Record<string, unknown>>;

/** A kit with the overrides that this home has. */
export async function chosenKit(tx: Transaction, name: string): Promise<ChosenKit> {
  const overrides = await readSetting(tx, kitSetting);
  return withOverrides(kit(name), overrides[name]);
}

async function settingsOf(tx: Transaction, chosen: ChosenKit): Promise<Json> {
  const read = async (key: string) => {
    const found = coverageSettings.find((each) => each.key === key);
    return readSetting(tx, found as unknown as Setting<unknown>);
  };
  return kitSettings(chosen, {
    linkColumns: (await read('verdict.link_columns')) as Json,
    linkEvidence: (await read('verdict.link_evidence')) as readonly unknown[],
  });
}

/** Writes the rows of a kit and the settings that it needs; returns how many changed. */
export async function writeKitRules(tx: Transaction, chosen: ChosenKit): Promise<number> {
  const { scopes, profiles, detectors } = await writeKit(tx, chosen);
  return scopes + profiles + detectors + (await writeSettings(tx, await settingsOf(tx, chosen)));
}

/**
 * Sets settings as the owner of this home; what gcos.yaml manages stays as it is. Returns how many changed.
 */
export async function writeSettings(tx: Transaction, wanted: Json): Promise<number> {
  let changed = 0;
  for (const [key, value] of Object.entries(wanted))
    changed += (await tx.run(writeSetting, { key, value: JSON.stringify(value) })).length;
  return changed;
}

export interface KitRow {
  readonly kind: 'profile' | 'detector';
  readonly key: string;
  readonly content: JsonValue;
}

/** The rows that a kit wants, in the form of `gcos_managed_content`. */
export async function kitRows(tx: Transaction, chosen: ChosenKit): Promise<readonly KitRow[]> {
  const profiles = profileRows(chosen);
  const spans = await tx.run(readIntervals, { texts: profiles.map((each) => each.ttl) });
  return [
    ...profiles.map((each, index) => ({
      kind: 'profile' as const,
      key: each.profile_code,
      content: {
        class: each.class_pattern,
        risk: each.risk_class,
        ttl: spans[index]?.span ?? each.ttl,
        inherits: each.inherits,
        links: each.required_links as unknown as JsonValue,
        status: 'active',
      },
    })),
    ...detectorRows(chosen).map((each) => ({
      kind: 'detector' as const,
      key: each.measurement_id,
      content: {
        severity: each.severity,
        enabled: each.enabled,
        about: each.measurement_name,
        query: each.source_query,
      },
    })),
  ];
}

/** The same text for the same content. */
export const canonical = (value: unknown): string => canonicalJson(value as JsonValue);
