// Owns the declaration of the approval module: its tables, and the functions that open and decide requests.
import { defineModule } from '../../db/index.js';
import { approvalErrors } from './errors.js';
import actorSql from './migration/actor.sql.js';
import approvalDownSql from './migration/approval.down.sql.js';
import decideSql from './migration/decide.sql.js';
import hostSql from './migration/host.sql.js';
import identitySql from './migration/identity.sql.js';
import openSql from './migration/open.sql.js';
import policySql from './migration/policy.sql.js';
import quorumSql from './migration/quorum.sql.js';
import settingSql from './migration/setting.sql.js';
import tablesSql from './migration/tables.sql.js';
import purgeSql from './purge.sql.js';
import { acceptUnverified, approvalActions, approvalPolicy, twoLogins } from './setting/approval.js';
import { settingActErrors } from './setting/errors.js';

export const approvalModule = defineModule({
  name: 'approval',
  settings: [approvalActions, approvalPolicy, acceptUnverified, twoLogins],
  errors: [approvalErrors, settingActErrors],
  migration: {
    id: 5,
    name: 'approval',
    up: [
      tablesSql,
      identitySql,
      actorSql,
      hostSql,
      policySql,
      quorumSql,
      openSql,
      decideSql,
      settingSql,
    ].join('\n'),
    down: approvalDownSql,
  },
  purges: [purgeSql],
});
