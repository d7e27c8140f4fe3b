export { DUTIES, type DutyName } from './duty.js';

export { expositionText } from './exposition.js';
export type { Gauges } from './gauges.js';
export type { LogFields, LogLevel } from './log.js';
export { type Log, makeLog, strikeOut } from './log.js';
export { workerModule } from './module.js';
export type { DutyState, OnceOutcome } from './run.js';
export type { DutyStatus, WorkerStatus } from './status.js';
export { DEFAULT_PORT, WorkerProcess, type WorkerRunOptions } from './worker-process.js';
