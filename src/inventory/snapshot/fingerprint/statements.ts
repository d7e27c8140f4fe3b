// Owns the texts of the statements that read the inventory. The hash of a row is one fragment, so that no two statements
// can disagree about it; the member registries are named by the catalogue, so their part is written at run time.
import { type Statement, statement } from '../../../db/index.js';
import { type MemberRegistry, memberTable } from '../../group/index.js';
import birthsSql from './births.sql.js';
import boundsSql from './bounds.sql.js';
import membersSql from './members.sql.js';
import nameFactorSql from './name-factor.sql.js';
import rowHashSql from './row-hash.sql.js';
import rowWordsSql from './row-words.sql.js';
import sealedBirthsSql from './sealed-births.sql.js';
import sealedMembersSql from './sealed-members.sql.js';
import serverFactsSql from './server-facts.sql.js';

/** The hash of a row, and what it is multiplied by: for every other statement that has to agree about it. */
export { nameFactorSql, rowHashSql };

const fill = (sql: string, members = memberTable([])): string =>
  sql
    .replace('{{row_hash}}', () => rowHashSql)
    .replace('{{name_factor}}', () => nameFactorSql)
    .replace('{{row_words}}', () => rowWordsSql)
    .replace('{{members}}', () => members);

export const readBounds = statement({
  name: 'snapshot.bounds',
  sql: boundsSql,
  params: {},
  columns: { first_id: 'int8?', last_id: 'int8?' },
});

export const readServerFacts = statement({
  name: 'snapshot.server_facts',
  sql: serverFactsSql,
  params: { littleEndian: 'int8' },
  columns: { version_num: 'int4', encoding: 'text', endianness: 'text' },
});

const PLACE = { collection_name: 'text', species_code: 'text?', status: 'text?' } as const;
const SUMS = {
  births: 'int8',
  max_id: 'int8',
  max_born_at: 'timestamptz',
  h1: 'numeric',
  h2: 'numeric',
} as const;
const WORDS = { w1: 'numeric', w2: 'numeric', w3: 'numeric', w4: 'numeric' } as const;
const RANGE = { first: 'int8', last: 'int8' } as const;
const PICKED = { ...RANGE, collections: 'text[]' } as const;

/** The whole table, without asking each row whether it is in it: a tenth of the time. */
export const aggregateAllBirths = statement({
  name: 'snapshot.all_births',
  sql: fill(birthsSql).replace('{{range}}', ''),
  params: {},
  columns: { ...PLACE, ...SUMS },
});

export const aggregateBirths = statement({
  name: 'snapshot.births',
  sql: fill(birthsSql).replace('{{range}}', 'where b.id >= $1::bigint and b.id <= $2::bigint'),
  params: RANGE,
  columns: { ...PLACE, ...SUMS },
});

export const sealBirths = statement({
  name: 'snapshot.seal_births',
  sql: fill(sealedBirthsSql),
  params: PICKED,
  columns: { ...PLACE, member_status: 'text?', ...WORDS },
});

/** The members of the registries whose own status counts, as one table. */
export const memberStatusTable = (registries: readonly MemberRegistry[]): string =>
  memberTable(registries.filter((registry) => registry.hasStatus));

const MEMBER_COLUMNS = { ...PLACE, member_status: 'text?', ...SUMS, keys: 'int8[]' } as const;
const SEALED_COLUMNS = { ...PLACE, member_status: 'text?', ...WORDS } as const;

export function aggregateMembers(
  registries: readonly MemberRegistry[],
): Statement<typeof PICKED, typeof MEMBER_COLUMNS> {
  return statement({
    name: 'snapshot.members',
    sql: fill(membersSql, memberStatusTable(registries)),
    params: PICKED,
    columns: MEMBER_COLUMNS,
  });
}

export function sealMembers(
  registries: readonly MemberRegistry[],
): Statement<typeof PICKED, typeof SEALED_COLUMNS> {
  return statement({
    name: 'snapshot.seal_members',
    sql: fill(sealedMembersSql, memberStatusTable(registries)),
    params: PICKED,
    columns: SEALED_COLUMNS,
  });
}

export const fingerprintStatements = [
  readBounds,
  readServerFacts,
  aggregateAllBirths,
  aggregateBirths,
  sealBirths,
  aggregateMembers([]),
  sealMembers([]),
];
