// Owns the check that this host has approval tables. They are optional; without them no request can be
// approved.
import type { Transaction } from '../../db/index.js';
import { hostContract } from '../../host/index.js';
import { readMissingColumns } from './available.sql.js';
import { approvalErrors } from './errors.js';

const TABLES = ['approval_requests', 'apr_approvals', 'apr_action_types'];
const needed = hostContract
  .filter((table) => TABLES.includes(table.name))
  .flatMap((table) => table.columns.map((column) => [table.name, column.name] as const));

/**
 * Throws `approvals_unavailable` unless the host's approval tables exist with the columns of the contract.
 */
export async function requireApprovals(tx: Transaction): Promise<void> {
  const missing = await tx.run(readMissingColumns, {
    relations: needed.map(([relation]) => relation),
    columns: needed.map(([, column]) => column),
  });
  if (missing.length === 0) return;
  const absent = [...new Set(missing.filter((row) => row.table_absent).map((row) => row.relation))];
  if (absent.length === TABLES.length) {
    throw approvalErrors.approvals_unavailable(
      'this host has no approval tables, so nothing can be approved',
    );
  }
  const columns = missing
    .filter((row) => !row.table_absent)
    .map((row) => `${row.relation}.${row.column_name}`);
  throw approvalErrors.approvals_unavailable(
    `the approval tables of this host lack \`${[...absent, ...columns].join('`, `')}\``,
    { help: '`gcos doctor` compares the tables with what GCOS needs' },
  );
}
