export type { ActOptions } from './act.js';
export { openRequest } from './act.js';
export {
  type ApproverType,
  actorProblem,
  currentActor,
  type IdentityLevel,
  levelOf,
  showPerson,
} from './actor.js';
export { requireApprovals } from './available.js';
export { approvalErrors } from './errors.js';
export { approvalModule } from './module.js';
export type { RequestPage, RequestStatus } from './request.js';
export {
  type ApprovalRequest,
  type Decision,
  type RequestDetail,
  readRequest,
  readRequestDetail,
} from './request.js';
export { type RequestOptions, Requests } from './requests.js';
export { approvalPolicy, policyForm } from './setting/approval.js';
export {
  CHANGED_BY,
  type ChangedSetting,
  type SettingLine,
  Settings,
} from './setting/settings.js';
export { typeText } from './setting/type-text.js';
