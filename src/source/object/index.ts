export type { SourceDescription, SourceObject, SourceReader } from './source-object.js';
