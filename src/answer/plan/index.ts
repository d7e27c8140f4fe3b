export type { FindingFlip, Flips, GateFlip, TermFlip, UnitFlip } from './flip.js';
export { planModule } from './module.js';
export type { Plan } from './plan.js';
export { Plans, type Proposal, type PutIntoForce } from './plans.js';
