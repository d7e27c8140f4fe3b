export { type Applied, applyChanges, type Change } from './change.js';
export type { IntakeContext } from './context.js';
export { type Facts, whereOf } from './facts.js';
export { type Intake, type IntakeOptions, makeIntake, retryIntake } from './intake.js';
export { type IntakeRun, type IntakeRunOptions, type IntakeStatus, Intakes } from './intakes.js';
export { handoffModule } from './module.js';
export type { Replay, ReplayFrom } from './replay.js';
export { INTAKE_LEASE, type IntakeRound, intakeRound } from './round.js';
