export type { Backlog } from './backlog.js';
export { isAnythingDue, readRiskWeights, readScanLag } from './backlog.js';
export { scanModule } from './module.js';
export type { RunListFilter, RunPage } from './runs.js';
export { requireEvaluationBasis } from './scan.js';
export { type ScanOptions, type ScanProgress, type ScanReport, type ScanStatus, Scans } from './scans.js';
export { watchCandidates } from './watch.js';
