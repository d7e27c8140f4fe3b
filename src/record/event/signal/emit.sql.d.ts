// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const emitBatch: Statement<
  {
    readonly types: readonly string[];
    readonly subjectTables: readonly string[];
    readonly subjectRefs: readonly string[];
    readonly addresses: readonly string[];
    readonly severities: readonly string[];
    readonly payloads: readonly string[];
    readonly occurredAt: readonly string[];
    readonly correlationIds: readonly string[];
    readonly dedupeKeys: readonly string[];
  },
  {
    readonly emitted: bigint;
    readonly held: bigint;
    readonly repeated: bigint;
  }
>;
