export {
  AUDIT_KINDS,
  type AuditRow,
  appendAudit,
} from './changelog/audit.js';
export { hostContract } from './contract.js';
export { discoverTables } from './discovery.js';
export { type DoctorLine, type DoctorReport, examineHost } from './doctor/doctor.js';
export { requireUsable } from './doctor/errors.js';
export type { LineState, Section } from './doctor/report.js';
export { hostExtensions, hostTables } from './extension.js';
export { planGrants } from './grants.js';
export { Installation } from './installation.js';
export { mapHost } from './mapping.js';
export { auditModule, hostModule } from './module.js';
export {
  requireCollection,
  requireKnownRecipient,
  requireOwner,
  requireScope,
} from './ownership/known.js';
export {
  defaultOwners,
  type EffectiveOwner,
  knownBodies,
  type OwnedSource,
  type OwnershipSubject,
  readReferences,
  resolveOwners,
  sourceOwners,
} from './ownership/ownership.js';
export {
  type CollectionDecision,
  type CoverageProfile,
  type DecisionMeaning,
  lifecycleColumns,
  readDecisions,
  resolveProfiles,
  terminalStatuses,
} from './profile/profile.js';
export {
  COMPONENT_NAMES,
  COMPONENTS,
  type Component,
  type ComponentName,
  compareBytes,
  DEFAULT_FAMILY,
  decodeContent,
  encodeContent,
  hasComponent,
  hashBytes,
  hashComponent,
  keyOf,
  type RuleRow,
  type RulesetContent,
  rowsOf,
  settingIn,
  versionOf,
} from './rule/content.js';
export { ruleErrors } from './rule/errors.js';
export { readRulesInForce } from './rule/in-force.js';
export { readContent } from './rule/read-content.js';
export type { TrialWrite } from './trial/trial.js';
