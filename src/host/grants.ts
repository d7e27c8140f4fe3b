// Owns what GCOS's roles may do with the host: derived from the contract and from what exists now.
import type { HostGrants, Transaction } from '../db/index.js';
import type { Access } from './contract.js';
import { discoverMemberRegistries, discoverTables } from './discovery.js';
import { readSequences } from './grants.sql.js';

/**
 * INVARIANT: tables that are only read get no more. Deleting is the owner role's alone, as whom nobody logs in, and only
 * where old snapshots are pruned: its function deletes none but GCOS's own.
 */
const PRIVILEGES: Readonly<Record<Access, HostGrants['write'][number]['privileges']>> = {
  read: [],
  never: [],
  append: ['insert'],
  prune: ['insert', 'delete'],
  write: ['insert', 'update'],
};

/** Reading for every role on the tables of the contract and the member registries; writing for the owner role only. */
export async function planGrants(tx: Transaction, schema: string): Promise<HostGrants> {
  const tables = await discoverTables(tx, schema);
  const members = await discoverMemberRegistries(tx, schema, tables);
  const present = tables.filter((table) => table.shape.state !== 'absent').map((table) => table.contract);
  const write = present
    .map((contract) => ({ relation: contract.name, privileges: PRIVILEGES[contract.access] }))
    .filter((each) => each.privileges.length > 0);
  const sequences = await tx.run(readSequences, { schema, relations: write.map((each) => each.relation) });
  return {
    read: [...new Set([...present.map((contract) => contract.name), ...members.present])].sort(),
    write,
    sequences: sequences.map((row) => row.sequence),
  };
}
