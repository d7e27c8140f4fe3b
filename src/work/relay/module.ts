// Owns the declaration of the relay module: webhooks, their errors, setting and functions.
import { defineModule } from '../../db/index.js';
import { webhookErrors } from './errors.js';
import actsSql from './schema/acts.sql.js';
import relayDownSql from './schema/relay.down.sql.js';
import tablesSql from './schema/tables.sql.js';
import { webhookConsole, webhookLimits } from './setting.js';

export const relayModule = defineModule({
  name: 'relay',
  settings: [webhookConsole, webhookLimits],
  errors: [webhookErrors],
  migration: { id: 32, name: 'relay', up: [tablesSql, actsSql].join('\n'), down: relayDownSql },
});
