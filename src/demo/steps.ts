// Owns the steps that build an estate, in order. Every step is SQL text; all steps run in one transaction.
import { hostExtensions } from '../host/index.js';
import { fillIn } from './fill.js';
import birthKey from './finish/birth-key.sql.js';
import indexes from './finish/indexes.sql.js';
import keys from './finish/keys.sql.js';
import marker from './finish/marker.sql.js';
import axes from './insert/axes.sql.js';
import births from './insert/births.sql.js';
import bodies from './insert/bodies.sql.js';
import bypasses from './insert/bypasses.sql.js';
import catalog from './insert/catalog.sql.js';
import changes from './insert/changes.sql.js';
import collections from './insert/collections.sql.js';
import eventTypes from './insert/event-types.sql.js';
import events from './insert/events.sql.js';
import issues from './insert/issues.sql.js';
import laws from './insert/laws.sql.js';
import malformed from './insert/malformed-births.sql.js';
import measurements from './insert/measurements.sql.js';
import members from './insert/members.sql.js';
import ownership from './insert/ownership.sql.js';
import plan from './insert/plan.sql.js';
import profiles from './insert/profiles.sql.js';
import reads from './insert/reads.sql.js';
import registryBirths from './insert/registry-births.sql.js';
import { ESTATE_SEED, markerText } from './marker.js';
import { type EstateSize, sizeEstate } from './size.js';
import { malformedBirths } from './spec/malformed-births.js';
import { memberRegistries } from './spec/registries.js';
import eventTables from './tables/events.sql.js';
import inventoryTables from './tables/inventory.sql.js';
import memberTables from './tables/members.sql.js';
import ruleTables from './tables/rules.sql.js';
import { estateTables } from './tables.js';

export interface EstateStep {
  readonly name: string;
  readonly kind: 'schema' | 'insert' | 'finish';
  readonly sql: string;
  /** The share of the step in the total work, in rows or an equivalent. */
  readonly weight: number;
}

const CHUNK_ROWS = 100_000;
const BYPASSES = 3;

/** The time span of the estate, in microseconds. It ends where the malformed births start. */
const SPAN_MICROSECONDS = (Date.UTC(2026, 5, 1, 23, 58) - Date.UTC(2026, 1, 17, 8)) * 1_000;

type Values = Readonly<Record<string, number | string>>;

/** Splits one insert into ranges `:first` to `:last`, for progress reports and low memory use. */
function inChunks(name: string, sql: string, rows: number, values: Values): EstateStep[] {
  const chunks = Math.max(1, Math.ceil(rows / CHUNK_ROWS));
  const step = Math.floor(SPAN_MICROSECONDS / (rows + 1));
  return Array.from({ length: chunks }, (_, index) => {
    const first = Math.floor((rows * index) / chunks) + 1;
    const last = Math.floor((rows * (index + 1)) / chunks);
    return {
      name: `${name} ${index + 1}/${chunks}`,
      kind: 'insert',
      sql: fillIn(sql, { ...values, seed: ESTATE_SEED, step, first, last }),
      weight: last - first + 1,
    };
  });
}

function small(name: string, sql: string, values: Values = {}): EstateStep {
  return { name, kind: 'insert', sql: fillIn(sql, values), weight: 1_000 };
}

function schemaSteps(): EstateStep[] {
  // The optional tables come from the same SQL that `gcos init --with` runs, so their shapes never differ.
  const texts = [
    ...hostExtensions.map((extension) => extension.up),
    inventoryTables,
    eventTables,
    ruleTables,
    memberTables,
  ];
  return [{ name: 'tables', kind: 'schema', sql: texts.join('\n'), weight: 1_000 }];
}

function registrySteps(size: EstateSize): EstateStep[] {
  return [
    small('plan', plan, {
      strains: JSON.stringify(size.strains),
      registries: JSON.stringify(memberRegistries),
    }),
    small('collections', collections),
    small('laws', laws),
    small('governing bodies and approvals', bodies),
    small('axes and pivots', axes),
    small('coverage profiles', profiles),
    small('members', members),
    small('event types', eventTypes),
    small('measurements', measurements),
    small('catalogue', catalog),
  ];
}

function birthSteps(size: EstateSize): EstateStep[] {
  return [
    small('births of members', registryBirths),
    ...inChunks('births', births, size.bulkBirths, {
      registry_births: size.registryBirths,
      certified: size.certifiedBulkBirths,
      bulk: size.bulkBirths,
      stride: size.stride,
      first_slots: `{${size.strains.map((strain) => strain.firstSlot).join(',')}}`,
    }),
    small('malformed births', malformed, {
      births_before: size.births - size.malformedBirths,
      malformed: JSON.stringify(malformedBirths),
    }),
    { name: 'key of births', kind: 'finish', sql: fillIn(birthKey, {}), weight: size.births / 10 },
    small('ownership', ownership),
  ];
}

function logSteps(size: EstateSize): EstateStep[] {
  const sound = { sound_births: size.births - size.malformedBirths };
  return [
    ...inChunks('changes', changes, size.changes - BYPASSES, sound),
    small('bypasses', bypasses, { before: size.changes - BYPASSES }),
    ...inChunks('issues', issues, size.issues, { ...sound, issues: size.issues }),
    ...inChunks('events', events, size.events, {}),
    ...inChunks('reads', reads, size.reads, {}),
  ];
}

function finishSteps(size: EstateSize): EstateStep[] {
  const weight = size.births / 8;
  return [
    { name: 'keys', kind: 'finish', sql: fillIn(keys, {}), weight },
    { name: 'indexes', kind: 'finish', sql: fillIn(indexes, {}), weight },
    { name: 'mark', kind: 'finish', sql: fillIn(marker, { marker: markerText(size.births) }), weight: 100 },
    { name: 'statistics', kind: 'finish', sql: `analyze ${estateTables.join(', ')}`, weight },
  ];
}

/** All steps of an estate of `rows` births, in order. */
export function estateSteps(rows: number): readonly EstateStep[] {
  const size = sizeEstate(rows);
  return [
    ...schemaSteps(),
    ...registrySteps(size),
    ...birthSteps(size),
    ...logSteps(size),
    ...finishSteps(size),
  ];
}
