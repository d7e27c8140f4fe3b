export { planErrors } from './errors.js';
export { makePlan, matchGroups, type Plan, type PlannedChange } from './plan.js';
export { Plans, type Proposal } from './plans.js';
