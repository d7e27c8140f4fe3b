export type { FindingFlip, FlippedUnit, Flips, GateFlip, TermFlip, UnitFlip } from './flip.js';
export { planModule } from './module.js';
export type { Plan, PlannedChange } from './plan.js';
export { Plans, type Proposal } from './plans.js';
export type { ProposedActivation } from './proposed.js';
