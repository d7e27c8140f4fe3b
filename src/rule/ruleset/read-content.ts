// Owns reading the rules out of the tables that hold them. Rule queries are read as text and never run. What a host
// does not have is marked absent, what has another shape than GCOS reads is marked unreadable; nothing is skipped.
import { z } from 'zod';
import { readSetting, type Transaction } from '../../db/index.js';
import { type DiscoveredTable, discoverTables, hostContract } from '../../host/index.js';
import { parseExactJson } from '../../kernel/index.js';
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
  readProfiles,
  readReach,
  readSchemaName,
  readScopes,
  readSettings,
} from './read-content.sql.js';

const chosenSettings = z.strictObject({
  prefixes: z.array(z.string().min(1)),
  keys: z.array(z.string().min(1)),
});
const DEFAULT_SETTINGS = { prefixes: ['verdict.', 'lifecycle.', 'gate.'], keys: ['input.limits'] };

/** How each component becomes rows. Names, descriptions, owners, run results and times are not read at all. */
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
  scopes: (tx) => tx.run(readScopes, {}),
  reach: (tx) => tx.run(readReach, {}),
  async settings(tx) {
    const rows = await tx.run(
      readSettings,
      await readSetting(tx, 'ruleset.settings', chosenSettings, DEFAULT_SETTINGS),
    );
    return rows.map((row) => ({
      setting_key: row.setting_key,
      setting_value: parseExactJson(row.setting_value),
    }));
  },
};

/** The tables of the host's contract among `names`, as they are here. */
async function discover(
  tx: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, DiscoveredTable>> {
  const { schema } = await tx.one(readSchemaName, {});
  const contract = hostContract.filter((table) => names.includes(table.name));
  const tables = await discoverTables(tx, schema, contract);
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
    // GCOS's own tables are not in the host's contract, and always there.
    const state = tables.get(source)?.shape.state ?? 'present';
    if (state === 'absent') components.push({ component, state });
    else if (state === 'different') components.push({ component, state: 'unreadable' });
    else components.push({ component, state, rows: await READERS[component](tx) });
  }
  return { format: FORMAT, family, components };
}
