export { type KeptHead, type LogHead, parseKeptHead } from './head.js';
export { LOG_KINDS, type LogKind } from './kind.js';
export { EvidenceLog, type LogLink, type LogPage, type LogPageOptions } from './log.js';
export { logModule } from './module.js';
export { type Sealed, sealGate } from './seal.js';
export type { LogDifference, LogProblem, LogVerification, VerifyLogOptions } from './verify.js';
