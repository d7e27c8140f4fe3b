// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const writeDraft: Statement<
  {
    readonly notes: string | null;
  },
  {
    readonly ruleset_version: string;
    readonly created: boolean;
    readonly status: string;
    readonly owner: string | null;
  }
>;

export declare const readOwner: Statement<
  Record<never, never>,
  {
    readonly owner: string | null;
  }
>;
