import type { Migration } from '../../db/index.js';
import { backlogStatements } from './backlog.js';
import { evaluateStatements } from './evaluate.js';
import scanDownSql from './schema/scan.down.sql.js';
import scanSql from './schema/scan.sql.js';
import { watchStatements } from './watch.js';

export { SCAN } from './around.js';
export { type Backlog, isAnythingDue, readRiskWeights } from './backlog.js';
export { scanErrors } from './errors.js';
export { type ScanOptions, type ScanProgress, type ScanReport, type ScanStatus, Scans } from './scans.js';
export { watchCandidates } from './watch.js';

export const scanStatements = [...backlogStatements, ...evaluateStatements, ...watchStatements];

export const scanMigration: Migration = { id: 17, name: 'scan', up: scanSql, down: scanDownSql };
