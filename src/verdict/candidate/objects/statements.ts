// Owns the statements about single objects. Those that read member registries are written at run time: the catalogue names them.
import { type Statement, statement } from '../../../db/index.js';
import { type MemberRegistry, memberTable } from '../../../inventory/index.js';
import badSql from './bad.sql.js';
import dematerializeSql from './dematerialize.sql.js';
import dueSql from './due.sql.js';
import formerDuplicatesSql from './former-duplicates.sql.js';
import formerUnbornSql from './former-unborn.sql.js';
import lapsedSingleSql from './lapsed-single.sql.js';
import missingSql from './missing.sql.js';
import tombstoneSql from './tombstone.sql.js';
import unbornSql from './unborn.sql.js';
import writeSql from './write.sql.js';

const KEYS = { collections: 'text[]', codes: 'text[]' } as const;
const KEY = { collection_name: 'text', entity_code: 'text' } as const;

const UNBORN = { collection_name: 'text', entity_code: 'text', member_status: 'text?' } as const;
export const findUnborn = (
  registries: readonly MemberRegistry[],
): Statement<Record<never, never>, typeof UNBORN> =>
  statement({
    name: 'candidate.find_unborn',
    sql: unbornSql.replace('{{members}}', () => memberTable(registries)),
    params: {},
    columns: UNBORN,
  });

export const findFormerUnborn = statement({
  name: 'candidate.find_former_unborn',
  sql: formerUnbornSql,
  params: KEYS,
  columns: { ...KEY, born: 'bool' },
});
export const findFormerDuplicates = statement({
  name: 'candidate.find_former_duplicates',
  sql: formerDuplicatesSql,
  params: KEYS,
  columns: KEY,
});
export const findMissing = statement({
  name: 'candidate.find_missing',
  sql: missingSql,
  params: { collections: 'text[]?', at: 'timestamptz', rulesetVersion: 'text' },
  columns: { ...KEY, born: 'bool' },
});
export const countDue = statement({
  name: 'candidate.count_due',
  sql: dueSql,
  params: {
    inventoryKeys: 'text[]',
    scopes: 'text[]',
    basisHashes: 'text[]',
    at: 'timestamptz',
    rulesetVersion: 'text',
  },
  columns: { groups: 'int8' },
});
export const findLapsedSingle = statement({
  name: 'candidate.find_lapsed_single',
  sql: lapsedSingleSql,
  params: { individual: 'text[]', ...KEYS },
  columns: KEY,
});
export const findBad = statement({
  name: 'candidate.find_bad',
  sql: badSql,
  params: { collections: 'text[]?' },
  columns: KEY,
});
export const buryObjects = statement({
  name: 'candidate.tombstone',
  sql: tombstoneSql,
  params: { ...KEYS, snapshotRef: 'int8', rulesetVersion: 'text', runId: 'text', at: 'timestamptz' },
  columns: { objects: 'int8', recorded: 'int8' },
});
export const endReason = statement({
  name: 'candidate.dematerialize',
  sql: dematerializeSql,
  params: { ...KEYS, reason: 'text', runId: 'text', at: 'timestamptz', areThere: 'bool' },
  columns: { objects: 'int8', retired: 'int8' },
});
export const writeObjects = statement({
  name: 'candidate.write_objects',
  sql: writeSql,
  params: {
    kindNos: 'int4[]',
    collections: 'text[]',
    codes: 'text[]',
    birthIds: 'int8[]',
    reasons: 'text[]',
    kinds: 'int4[]',
    scopes: 'text[]',
    inventoryKeys: 'text[]',
    groupKeys: 'text[]',
    owners: 'text[]',
    verdicts: 'text[]',
    lines: 'int4[]',
    evidence: 'text[]',
    inputStates: 'text[]',
    dependsOn: 'text[]',
    riskClasses: 'text[]',
    coverageRequired: 'bool[]',
    ttlSeconds: 'int8[]',
    weights: 'int4[]',
    basisHashes: 'text[]',
    ownHashes: 'text[]',
    ownedNos: 'int4[]',
    ownedScopes: 'text[]',
    ownOwners: 'text[]',
    ownedHashes: 'text[]',
    snapshotRef: 'int8',
    rulesetVersion: 'text',
    runId: 'text',
    at: 'timestamptz',
    cause: 'text',
    sawAllBirths: 'bool',
  },
  columns: { inserted: 'int8', changed: 'int8', renewed: 'int8', superseded: 'int8', recorded: 'int8' },
});

export const objectStatements = [
  findUnborn([]),
  findFormerUnborn,
  findFormerDuplicates,
  findMissing,
  countDue,
  findLapsedSingle,
  findBad,
  buryObjects,
  endReason,
  writeObjects,
];
