import type { Migration } from '../../db/index.js';

import handoffDownSql from './schema/handoff.down.sql.js';
import handoffSql from './schema/handoff.sql.js';

export { type Applied, applyChanges, type Change } from './change.js';
export { handoffErrors } from './errors.js';
export { type Facts, whereOf } from './facts.js';
export { type Intake, type IntakeOptions, makeIntake, retryIntake } from './intake.js';
export { type IntakeRun, type IntakeRunOptions, type IntakeStatus, Intakes } from './intakes.js';
export type { Replay, ReplayFrom } from './replay.js';
export { INTAKE_LEASE, type IntakeContext, type IntakeRound, intakeRound } from './round.js';

export const handoffMigration: Migration = {
  id: 15,
  name: 'handoff',
  up: handoffSql,
  down: handoffDownSql,
};
