// Owns reading the rules from their tables. Rule queries are read as text and never executed. A missing table
// is marked absent, and a table of another shape unreadable; nothing is skipped.
import { z } from 'zod';
import { defineSetting, RULE_PREFIXES, readSetting, type Transaction } from '../../db/index.js';
import { parseExactJson } from '../../kernel/index.js';
import { hostContract } from '../contract.js';
import { type DiscoveredTable, discoverTables } from '../discovery.js';
import {
  COMPONENTS,
  type Component,
  type ComponentName,
  DEFAULT_FAMILY,
  FORMAT,
  type RuleRow,
  type RulesetContent,
} from './content.js';
import {
  readAxes,
  readDetectors,
  readJurisdictions,
  readPivots,
  readProfiles,
  readReach,
  readScopes,
  readSettings,
} from './read-content.sql.js';

const chosenSettings = z.strictObject({
  prefixes: z.array(z.string().min(1)),
  keys: z.array(z.string().min(1)),
});
export const chosenForRuleset = defineSetting({
  key: 'ruleset.settings',
  form: chosenSettings,
  default: { prefixes: [], keys: [] },
  about:
    'Further settings that are part of the ruleset, by key prefix or by full key; verdict., lifecycle., gate., input., approval. and exception. always are',
  changedBy: 'dba',
});

/** Reads the rows of each component. Names, descriptions, owners, run results and times are not read. */
const READERS: Readonly<Record<ComponentName, (tx: Transaction) => Promise<readonly RuleRow[]>>> = {
  detectors: (tx) => tx.run(readDetectors, {}),
  async profiles(tx) {
    const rows = await tx.run(readProfiles, {});
    return rows.map((row) => ({
      ...row,
      required_links: row.required_links === null ? null : parseExactJson(row.required_links),
    }));
  },
  axes: (tx) => tx.run(readAxes, {}),
  async pivots(tx) {
    const rows = await tx.run(readPivots, {});
    return rows.map((row) => ({ ...row, dims: parseExactJson(row.dims) }));
  },
  jurisdictions: (tx) => tx.run(readJurisdictions, {}),
  scopes: (tx) => tx.run(readScopes, {}),
  reach: (tx) => tx.run(readReach, {}),
  async settings(tx) {
    const more = await readSetting(tx, chosenForRuleset);
    const rows = await tx.run(readSettings, {
      prefixes: [...RULE_PREFIXES, ...more.prefixes],
      keys: more.keys,
    });
    return rows.map((row) => ({
      setting_key: row.setting_key,
      setting_value: parseExactJson(row.setting_value),
    }));
  },
};

/** The tables of the host contract among `names`, as discovered in this database. */
async function discover(
  tx: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, DiscoveredTable>> {
  const contract = hostContract.filter((table) => names.includes(table.name));
  const tables = await discoverTables(tx, tx.schema, contract);
  return new Map(tables.map((table) => [table.contract.name, table]));
}

/** The rules in the tables now. For one consistent view the transaction must be repeatable read. */
export async function readContent(tx: Transaction, family: string = DEFAULT_FAMILY): Promise<RulesetContent> {
  const sources = Object.entries(COMPONENTS) as [ComponentName, (typeof COMPONENTS)[ComponentName]][];
  const tables = await discover(
    tx,
    sources.map(([, { source }]) => source),
  );
  const components: Component[] = [];
  for (const [component, { source }] of sources) {
    // GCOS's own tables are not part of the host contract and always exist.
    const state = tables.get(source)?.shape.state ?? 'present';
    if (state === 'absent') components.push({ component, state });
    else if (state === 'different') components.push({ component, state: 'unreadable' });
    else components.push({ component, state, rows: await READERS[component](tx) });
  }
  return { format: FORMAT, family, components };
}
