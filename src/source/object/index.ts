export { sourceErrors } from './errors.js';
export { homeExtension } from './extension.js';
export type { SourceConfig, SourceKind, SourceOptions, SourceRun } from './kind.js';
export { sourceCadence, sourceModule } from './module.js';
export type { SourceDescription, SourceObject, SourceReader } from './source-object.js';
export {
  type DueSource,
  failingSources,
  requireSourceName,
  type Source,
  Sources,
} from './sources.js';
export type { ClassCounts, SyncOptions, SyncReport } from './sync.js';
