export { DUTIES, type Duty, type DutyName } from './duty.js';
export { type Health, readHealth } from './endpoint.js';
export { expositionText, type Metric, type Sample } from './exposition.js';
export { type Gauges, gaugeMetrics, readGauges } from './gauges.js';
export { type Log, type LogFields, type LogLevel, makeLog, strikeOut } from './log.js';
export { workerModule } from './module.js';
export type { DutyState, OnceOutcome } from './run.js';
export { DEFAULT_PORT, WorkerProcess, type WorkerRunOptions } from './worker-process.js';
