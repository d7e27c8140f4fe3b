import type { Migration } from '../../db/index.js';

import catalogueSql from './catalogue.sql.js';
import findingDownSql from './finding.down.sql.js';

import functionsSql from './functions.sql.js';
import purgeSql from './purge.sql.js';

import tablesSql from './tables.sql.js';

export { type FindingSettings, readFindingSettings } from './catalogue.js';
export { coalesceKey, summaryKey } from './coalesce-key.js';
export { findingErrors } from './errors.js';
export {
  type Finding,
  type FindingFilter,
  type FindingLine,
  type FindingPage,
  Findings,
} from './findings.js';
export type { ForeseenTransition } from './foresee.js';
export type {
  FindingContext,
  Link,
  Observation,
  RiskClass,
  Severity,
  Transition,
  Transitions,
} from './observation.js';
export { NO_TRANSITIONS } from './observation.js';
export { computeSeverity } from './severity.js';
export { closedWords } from './store.js';
export {
  type FindingSubject,
  foreseeFindings,
  resolveFindings,
  restampFindings,
  writeFindings,
} from './write.js';

export const findingMigration: Migration = {
  id: 4,
  name: 'finding',
  up: `${tablesSql}\n${catalogueSql}\n${functionsSql}`,
  down: findingDownSql,
};
export const findingPurge = purgeSql;
