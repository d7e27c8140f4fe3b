export { planErrors } from './errors.js';
export type { FindingFlip, Flips, TermFlip, UnitFlip } from './flip.js';
export type { GateFlip } from './gate-flip.js';
export { makePlan, type Plan, type PlannedChange } from './plan.js';
export { type CarriedVerdicts, Plans, type Proposal, type PutIntoForce } from './plans.js';
