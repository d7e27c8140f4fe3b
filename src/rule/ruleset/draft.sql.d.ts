// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const writeDraft: Statement<
  {
    readonly version: string;
    readonly hash: string;
    readonly canonical: string;
    readonly components: string;
    readonly family: string;
    readonly notes: string | null;
    readonly alertLevel: string;
  },
  {
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
