export {
  AUDIT_KINDS,
  type AuditRow,
  appendAudit,
} from './changelog/audit.js';
export {
  type Access,
  type ColumnContract,
  hostContract,
  type TableContract,
  type TypeFamily,
} from './contract.js';
export {
  type DiscoveredTable,
  discoverMemberRegistries,
  discoverTables,
  type MemberRegistries,
  type TableShape,
} from './discovery.js';
export { type DoctorLine, type DoctorReport, examineHost } from './doctor/doctor.js';
export { hostExtensions } from './extension.js';
export { planGrants } from './grants.js';
export { Installation } from './installation.js';
export {
  type HostMapping,
  type MappedWord,
  type MappingOverrides,
  mapHost,
  mappingSetting,
  type VocabularyKind,
} from './mapping.js';
export { auditModule, hostModule } from './module.js';
export {
  defaultOwners,
  type EffectiveOwner,
  findOwnership,
  type Owners,
  type OwnershipSubject,
  readReferences,
  resolveOwners,
} from './ownership/ownership.js';
export {
  type CollectionDecision,
  type CoverageProfile,
  type DecisionMeaning,
  type Profiles,
  profileSettingsDownSql,
  profileSettingsSql,
  readDecisions,
  readTerminalStatuses,
  resolveProfiles,
} from './profile/profile.js';
export { type TrialWrite, trialErrors, trialWrites } from './trial/trial.js';
export { RULE_TABLES, readRulesVersion, recallRules } from './version/version.js';
