// Owns what this module adds to the product: its errors, tables and settings.
import { defineModule } from '../../db/index.js';
import { intakeWindow } from './change.js';
import { intakeErrors } from './errors.js';
import { intakePace } from './intake.js';
import { intakeHeartbeat } from './oversight.js';
import intakeDownSql from './schema/intake.down.sql.js';
import intakeSql from './schema/intake.sql.js';
import { intakeStorm } from './storm.js';

export const intakeModule = defineModule({
  name: 'handoff',
  settings: [intakeWindow, intakePace, intakeStorm, intakeHeartbeat],
  errors: [intakeErrors],
  migration: {
    id: 15,
    name: 'handoff',
    up: intakeSql,
    down: intakeDownSql,
  },
});
