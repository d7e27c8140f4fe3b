import type { Migration } from '../../db/index.js';

import scanDownSql from './schema/scan.down.sql.js';
import scanSql from './schema/scan.sql.js';

export { SCAN } from './around.js';
export { type Backlog, isAnythingDue, readRiskWeights } from './backlog.js';
export { scanErrors } from './errors.js';
export { type ScanOptions, type ScanProgress, type ScanReport, type ScanStatus, Scans } from './scans.js';
export { watchCandidates } from './watch.js';

export const scanMigration: Migration = { id: 17, name: 'scan', up: scanSql, down: scanDownSql };
