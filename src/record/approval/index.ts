export { type ActOptions, decideRequest, openRequest, withdrawRequest } from './act.js';
export { type Actor, type ApproverType, currentActor, showPerson } from './actor.js';
export { requireApprovals } from './available.js';
export { approvalErrors } from './errors.js';
export { approvalModule } from './module.js';
export {
  type ApprovalRequest,
  type Decision,
  listRequests,
  type RequestDetail,
  type RequestPage,
  readRequest,
  readRequestDetail,
  type Standing,
} from './request.js';
export { type RequestOptions, Requests } from './requests.js';
export { type ExpectedRequest, requireApproved } from './requirement.js';
