// Owns the declaration of the event module: its tables, the functions that write them and the host's event
// tables, and its rows in the host's tables.
import { defineModule } from '../../db/index.js';
import { eventErrors } from './errors.js';
import deliverSql from './migration/deliver-function.sql.js';
import emitSql from './migration/emit-function.sql.js';
import downSql from './migration/event.down.sql.js';
import inboxSql from './migration/inbox-functions.sql.js';
import promoteSql from './migration/promote-function.sql.js';
import pruneSql from './migration/prune-functions.sql.js';
import { eventPurges, eventSeeds } from './migration/rows.js';
import tablesSql from './migration/tables.sql.js';
import typesSql from './migration/type-functions.sql.js';
import { eventNotification, eventPromotion } from './setting.js';

export const eventModule = defineModule({
  name: 'event',
  settings: [eventPromotion, eventNotification],
  errors: [eventErrors],
  migration: {
    id: 7,
    name: 'event',
    up: [tablesSql, typesSql, deliverSql, emitSql, promoteSql, inboxSql, pruneSql].join('\n'),
    down: downSql,
  },
  seeds: eventSeeds,
  seeded: ['{{schema}}.event_type_registry', '{{schema}}.governance_signal_type'],
  purges: eventPurges,
});
