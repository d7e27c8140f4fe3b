// Owns the tables that GCOS can add if the host lacks them: axes, profiles, ownership, approvals; and all
// tables of a host, where there is none.
import type { Extension } from '../db/index.js';
import { hostContract } from './contract.js';
import approvalsDownSql from './extension/approvals.reverse.sql.js';
import approvalsSql from './extension/approvals.sql.js';
import axesDownSql from './extension/axes.reverse.sql.js';
import axesSql from './extension/axes.sql.js';
import hostDownSql from './extension/host.reverse.sql.js';
import hostSql from './extension/host.sql.js';
import ownershipDownSql from './extension/ownership.reverse.sql.js';
import ownershipSql from './extension/ownership.sql.js';
import profilesDownSql from './extension/profiles.reverse.sql.js';
import profilesSql from './extension/profiles.sql.js';

export const hostExtensions: readonly Extension[] = [
  { id: 1, name: 'axes', tables: ['axis_registry'], up: axesSql, down: axesDownSql },
  { id: 2, name: 'profiles', tables: ['coverage_profile'], up: profilesSql, down: profilesDownSql },
  {
    id: 3,
    name: 'ownership',
    tables: ['governance_registry', 'governance_responsibility_scope', 'governance_object_ownership'],
    up: ownershipSql,
    down: ownershipDownSql,
  },
  {
    id: 4,
    name: 'approvals',
    tables: ['apr_action_types', 'approval_requests', 'apr_approvals'],
    up: approvalsSql,
    down: approvalsDownSql,
  },
];

/** All tables of the contract, for a database that has none of them. The caller adds what fills them. */
export function hostTables(more: { readonly up: string; readonly down: string }): Extension {
  return {
    id: 5,
    name: 'host',
    isHost: true,
    tables: hostContract.map((table) => table.name),
    up: [hostSql, ...hostExtensions.map((each) => each.up), more.up].join('\n'),
    down: [more.down, ...hostExtensions.toReversed().map((each) => each.down), hostDownSql].join('\n'),
  };
}
