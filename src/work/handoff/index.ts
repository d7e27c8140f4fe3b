import type { Migration, Statement } from '../../db/index.js';
import { birthStatements } from './births.js';
import { changeStatements } from './change.js';
import { intakeStatements } from './intakes.js';
import { logStatements } from './log.js';
import { mapStatements } from './map.js';
import { placeStatements } from './place.js';
import { registryStatements } from './registries.js';
import { replayStatements } from './replay.js';
import { reshapeStatements } from './reshape.js';
import { roundStatements } from './round.js';
import handoffDownSql from './schema/handoff.down.sql.js';
import handoffSql from './schema/handoff.sql.js';
import { stormStatements } from './storm.js';
import { watchStatements } from './watch.js';

export { type Applied, applyChanges, type Change } from './change.js';
export { handoffErrors } from './errors.js';
export { type Facts, whereOf } from './facts.js';
export { type Intake, type IntakeOptions, makeIntake, retryIntake } from './intake.js';
export { type IntakeRun, type IntakeRunOptions, type IntakeStatus, Intakes } from './intakes.js';
export type { Replay, ReplayFrom } from './replay.js';
export { INTAKE_LEASE, type IntakeContext, type IntakeRound, intakeRound } from './round.js';

export const handoffStatements = [
  ...mapStatements,
  ...changeStatements,
  ...placeStatements,
  ...birthStatements,
  ...logStatements,
  ...watchStatements,
  ...registryStatements,
  ...reshapeStatements,
  ...roundStatements,
  ...replayStatements,
  ...stormStatements,
  ...intakeStatements,
] as readonly Statement[];

export const handoffMigration: Migration = {
  id: 15,
  name: 'handoff',
  up: handoffSql,
  down: handoffDownSql,
};
