// Owns the statements about single objects. Those that read member registries are written at run time: the catalogue names them.
import { type Statement, statement } from '../../../db/index.js';
import { type MemberRegistry, memberTable } from '../../../inventory/index.js';
import badSql from './bad.sql.js';
import dematerializeSql from './dematerialize.sql.js';
import dueSql from './due.sql.js';
import duplicatesSql from './duplicates.sql.js';
import formerDuplicatesSql from './former-duplicates.sql.js';
import formerUnbornSql from './former-unborn.sql.js';
import lapsedSingleSql from './lapsed-single.sql.js';
import missingSql from './missing.sql.js';
import pickBirthsSql from './pick-births.sql.js';
import tombstoneSql from './tombstone.sql.js';
import unbornSql from './unborn.sql.js';
import writeSql from './write.sql.js';

const PICK = {
  individual: 'text[]',
  codeLength: 'int4',
  bornAfter: 'timestamptz',
  at: 'timestamptz',
  futureSeconds: 'int4',
} as const;
const RANGE = { ...PICK, first: 'int8', last: 'int8' } as const;
const OF_IDS = { ...PICK, ids: 'int8[]' } as const;
const OF_COLLECTIONS = { ...PICK, collections: 'text[]' } as const;
const OF_KEYS = { ...PICK, collections: 'text[]', codes: 'text[]' } as const;
const PICKED = {
  id: 'int8',
  collection_name: 'text',
  entity_code: 'text',
  species_code: 'text?',
  status: 'text?',
  malformed: 'bool',
  member_status: 'text?',
  listed: 'bool',
  births: 'int8',
} as const;
const KEYS = { collections: 'text[]', codes: 'text[]' } as const;
const KEY = { collection_name: 'text', entity_code: 'text' } as const;

const pick = (births: string, where: string, registries: readonly MemberRegistry[]): string =>
  pickBirthsSql
    .replace('{{births}}', () => births)
    .replace('{{where}}', () => where)
    .replace('{{members}}', () => memberTable(registries));

const SPOKEN_FOR = '(b.collection_name = any ($1::text[]) or f.malformed)';

/** Births with a row of their own among the ids from `first` to `last`. */
export const pickRange = (registries: readonly MemberRegistry[]): Statement<typeof RANGE, typeof PICKED> =>
  statement({
    name: 'candidate.pick_range',
    sql: pick('birth_registry b', `b.id >= $6::bigint and b.id <= $7::bigint and ${SPOKEN_FOR}`, registries),
    params: RANGE,
    columns: PICKED,
  });

/** The same among the births with these ids. */
export const pickIds = (registries: readonly MemberRegistry[]): Statement<typeof OF_IDS, typeof PICKED> =>
  statement({
    name: 'candidate.pick_ids',
    sql: pick('birth_registry b', `b.id = any ($6::bigint[]) and ${SPOKEN_FOR}`, registries),
    params: OF_IDS,
    columns: PICKED,
  });

/** The same among the births of some collections. */
export const pickCollections = (
  registries: readonly MemberRegistry[],
): Statement<typeof OF_COLLECTIONS, typeof PICKED> =>
  statement({
    name: 'candidate.pick_collections',
    sql: pick('birth_registry b', `b.collection_name = any ($6::text[]) and ${SPOKEN_FOR}`, registries),
    params: OF_COLLECTIONS,
    columns: PICKED,
  });

/** The births of these keys, whether or not anything about them asks for a row. */
export const pickKeys = (registries: readonly MemberRegistry[]): Statement<typeof OF_KEYS, typeof PICKED> =>
  statement({
    name: 'candidate.pick_keys',
    sql: pick(
      // Once per key, however often it was asked for: births of a key are counted.
      `(select distinct u.collection_name, u.code from unnest($6::text[], $7::text[]) as u(collection_name, code)) as k
  join birth_registry b on b.collection_name = k.collection_name and b.entity_code = k.code`,
      '$1::text[] is not null',
      registries,
    ),
    params: OF_KEYS,
    columns: PICKED,
  });

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
export const findDuplicateKeys = statement({
  name: 'candidate.find_duplicates',
  sql: duplicatesSql,
  params: {},
  columns: { ...KEY, births: 'int8' },
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
  pickRange([]),
  pickIds([]),
  pickCollections([]),
  pickKeys([]),
  findUnborn([]),
  findFormerUnborn,
  findDuplicateKeys,
  findFormerDuplicates,
  findMissing,
  countDue,
  findLapsedSingle,
  findBad,
  buryObjects,
  endReason,
  writeObjects,
];
