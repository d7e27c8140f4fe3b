// Owns the privileges that GCOS's roles need on the host, derived from the contract and the existing tables.
import type { HostGrants, Transaction } from '../db/index.js';
import { type Access, homeTables } from './contract.js';
import { discoverMemberRegistries, discoverTables } from './discovery.js';
import { readSequences } from './grants.sql.js';

/**
 * INVARIANT: a table that GCOS only reads gets no write privilege. Only the owner role, which cannot log in,
 * may delete, and only from the table whose old snapshots GCOS prunes; its function deletes only GCOS's own
 * rows.
 */
const PRIVILEGES: Readonly<Record<Access, HostGrants['write'][number]['privileges']>> = {
  read: [],
  never: [],
  append: ['insert'],
  prune: ['insert', 'delete'],
  write: ['insert', 'update'],
};

/**
 * Every role gets read privileges on the tables of the contract and the member registries; only the owner
 * role gets write privileges.
 */
export async function planGrants(tx: Transaction, schema: string): Promise<HostGrants> {
  const tables = await discoverTables(tx, schema);
  const members = await discoverMemberRegistries(tx, schema, tables);
  const present = tables.filter((table) => table.shape.state !== 'absent').map((table) => table.contract);
  const write = present
    .map((contract) => ({ relation: contract.name, privileges: PRIVILEGES[contract.access] }))
    .filter((each) => each.privileges.length > 0);
  const sequences = await tx.run(readSequences, { schema, relations: write.map((each) => each.relation) });
  const sources = await discoverTables(tx, schema, homeTables);
  const ofHome = sources.filter((each) => each.shape.state !== 'absent').map((each) => each.contract.name);
  return {
    read: [...new Set([...present.map((contract) => contract.name), ...members.present, ...ofHome])].sort(),
    write,
    sequences: sequences.map((row) => row.sequence),
  };
}
