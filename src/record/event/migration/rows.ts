// Owns this module's rows in host tables: the types that init registers, and the rows that a purge deletes.
import { quoteLiteral, readSetting, type Transaction } from '../../../db/index.js';
import { discoverTables, mapHost, mappingSetting } from '../../../host/index.js';
import { signalTypes } from '../catalogue.js';
import { registration } from '../type/type.js';
import { readMarks, readOwn } from './rows.sql.js';

const textArray = (values: readonly string[]): string =>
  `array[${values.map((value) => quoteLiteral(value)).join(', ')}]::text[]`;

/** The host tables that exist with the expected shape. */
async function usableTables(tx: Transaction, schema: string): Promise<Set<string>> {
  const tables = await discoverTables(tx, schema);
  return new Set(
    tables.filter((table) => table.shape.state === 'present').map((table) => table.contract.name),
  );
}

/** Registers GCOS's types, inactive, if the host has a registry; existing types stay unchanged. */
export async function eventSeeds(tx: Transaction, schema: string): Promise<readonly string[]> {
  const usable = await usableTables(tx, schema);
  if (!usable.has('event_type_registry') || !usable.has('registry_changelog')) return [];
  const own = await tx.one(readOwn, { trustSchema: tx.trustSchema });
  const overrides = own.settings ? await readSetting(tx, mappingSetting) : {};
  const values = registration(await mapHost(tx, schema, overrides), signalTypes);
  const lists = [
    values.types,
    values.streams,
    values.hostStreams,
    values.lanes,
    values.severities,
    values.hostSeverities,
    values.descriptions,
  ].map(textArray);
  const heartbeats = `array[${values.heartbeats.join(', ')}]`;
  const args = [...lists, heartbeats, quoteLiteral(values.alertLevel), 'null'].join(',\n  ');
  return [`select count(*) from {{trust}}.gcos_add_types(${args});`];
}

/**
 * SQL that deletes exactly the rows that GCOS wrote into the host's event tables. The ids of its types and
 * subscriptions are part of the SQL, so that it does not depend on GCOS's own tables.
 */
export async function eventPurges(tx: Transaction, schema: string): Promise<readonly string[]> {
  const usable = await usableTables(tx, schema);
  const own = await tx.one(readOwn, { trustSchema: tx.trustSchema });
  const marks = own.types ? await tx.one(readMarks, {}) : { types: [], subscriptions: [] };
  const purges: readonly (readonly [string, string])[] = [
    [
      'event_read',
      "delete from {{schema}}.event_read where (select {{trust}}.gcos_enter_host()) and event_id in (select id from {{schema}}.event_outbox where event_domain = 'governance' and source_system = 'gcos');",
    ],
    [
      'event_outbox',
      "delete from {{schema}}.event_outbox where (select {{trust}}.gcos_enter_host()) and event_domain = 'governance' and source_system = 'gcos';",
    ],
    [
      'event_pending',
      "delete from {{schema}}.event_pending where (select {{trust}}.gcos_enter_host()) and event_domain = 'governance' and capture_payload ->> 'source' = 'gcos';",
    ],
    [
      'event_subscription',
      `delete from {{schema}}.event_subscription where (select {{trust}}.gcos_enter_host()) and event_domain = 'governance' and id::text = any (${textArray(marks.subscriptions)});`,
    ],
    [
      'event_type_registry',
      `delete from {{schema}}.event_type_registry where (select {{trust}}.gcos_enter_host()) and event_domain = 'governance' and event_type = any (${textArray(marks.types)});`,
    ],
  ];
  return purges
    .filter(([table]) => usable.has(table) && (table !== 'event_read' || usable.has('event_outbox')))
    .map(([, sql]) => sql);
}
