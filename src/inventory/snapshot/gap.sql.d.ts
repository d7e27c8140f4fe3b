// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../db/index.js';

export declare const readRecordCounts: Statement<
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly record_count: bigint;
  }
>;

export declare const countMembers: Template<
  'members',
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly members: bigint;
  }
>;
