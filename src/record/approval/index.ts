import type { Migration } from '../../db/index.js';

import actorSql from './migration/actor.sql.js';
import approvalDownSql from './migration/approval.down.sql.js';
import decideSql from './migration/decide.sql.js';
import openSql from './migration/open.sql.js';
import quorumSql from './migration/quorum.sql.js';
import tablesSql from './migration/tables.sql.js';
import purgeSql from './purge.sql.js';

export { type ActOptions, decideRequest, openRequest, withdrawRequest } from './act.js';
export { type Actor, type ApproverType, currentActor, showPerson } from './actor.js';
export { requireApprovals } from './available.js';
export { approvalErrors } from './errors.js';
export {
  type ApprovalRequest,
  type Decision,
  listRequests,
  type RequestDetail,
  type RequestPage,
  readRequest,
  readRequestDetail,
  type Standing,
} from './request.js';
export { type RequestOptions, Requests } from './requests.js';
export { type ExpectedRequest, requireApproved } from './requirement.js';

export const approvalMigration: Migration = {
  id: 5,
  name: 'approval',
  up: [tablesSql, actorSql, quorumSql, openSql, decideSql].join('\n'),
  down: approvalDownSql,
};
export const approvalPurge = purgeSql;
