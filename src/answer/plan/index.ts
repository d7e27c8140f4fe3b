export type { FindingFlip, Flips, GateFlip, TermFlip, UnitFlip } from './flip.js';
export { planModule } from './module.js';
export { makePlan, type Plan, type PlannedChange } from './plan.js';
export { type CarriedVerdicts, Plans, type Proposal, type PutIntoForce } from './plans.js';
