// Owns the declaration of the identity module: tokens, presenting them, and people. What a transaction has
// presented is read by functions of the approval module, which come first.
import { defineModule } from '../../db/index.js';
import { identityErrors } from './errors.js';
import downSql from './schema/identity.down.sql.js';
import personSql from './schema/person.sql.js';
import presentSql from './schema/present.sql.js';
import sessionSql from './schema/session.sql.js';
import tablesSql from './schema/tables.sql.js';
import tokenSql from './schema/token.sql.js';
import { tokenLifetime } from './setting.js';

export const identityModule = defineModule({
  name: 'identity',
  settings: [tokenLifetime],
  errors: [identityErrors],
  migration: {
    id: 24,
    name: 'identity',
    up: [tablesSql, sessionSql, presentSql, tokenSql, personSql].join('\n'),
    down: downSql,
  },
});
