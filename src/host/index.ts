import type { Migration } from '../db/index.js';
import { appendRows } from './changelog/index.js';
import { readColumns, readMemberRegistries, readServer, readTables } from './discovery.js';
import { doctorStatements } from './doctor/index.js';
import { readSequences } from './grants.js';
import { readChecks } from './mapping.js';
import { ownershipStatements } from './ownership/index.js';
import { profileStatements } from './profile/index.js';
import settingsDownSql from './settings.down.sql.js';
import settingsSql from './settings.sql.js';
import { birthsAfter, latestBirth, trialWrites } from './trial/index.js';

export {
  AUDIT_KINDS,
  type AuditRow,
  appendAudit,
  changelogMigration,
  changelogPurge,
} from './changelog/index.js';
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
export { type DoctorLine, type DoctorReport, examineHost } from './doctor/index.js';
export { hostExtensions } from './extension.js';
export { planGrants } from './grants.js';
export {
  type HostMapping,
  type MappedWord,
  type MappingOverrides,
  mapHost,
  mappingSetting,
  type VocabularyKind,
} from './mapping.js';
export {
  defaultOwners,
  type EffectiveOwner,
  type Owners,
  type OwnershipSubject,
  readReferences,
  resolveOwners,
} from './ownership/index.js';
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
} from './profile/index.js';
export { type TrialWrite, trialErrors, trialWrites } from './trial/index.js';
export const hostStatements = [
  appendRows,
  readTables,
  readColumns,
  readServer,
  readMemberRegistries,
  readChecks,
  readSequences,
  ...ownershipStatements,
  ...profileStatements,
  latestBirth,
  birthsAfter,
  ...doctorStatements,
  ...trialWrites.flatMap((trial) => trial.statements),
];

export const hostMigration: Migration = {
  id: 2,
  name: 'host_settings',
  up: settingsSql,
  down: settingsDownSql,
};
