export {
  makePlan,
  matchGroups,
  type Plan,
  type PlannedChange,
  Plans,
  type Proposal,
  planErrors,
} from './plan/index.js';
export { type Answer, readScale, readStatus, type Status } from './status.js';
