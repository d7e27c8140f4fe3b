export type { Applied } from './change.js';
export { makeIntake } from './intake.js';
export type { IntakeRunOptions } from './intakes.js';
export { type IntakeRun, type IntakeStatus, Intakes } from './intakes.js';
export { intakeModule } from './module.js';
export { readConcerns } from './oversight.js';
export type { Replay, ReplayFrom } from './replay.js';
export { INTAKE_LEASE, type IntakeRound, intakeRound, startWatching } from './round.js';
export { readStorm, type Storm } from './storm.js';
