// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const quarantineRows: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly reason: string | null;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly unknown_collection: string | null;
    readonly unknown_code: string | null;
    readonly changed: bigint;
    readonly person_ref: string | null;
    readonly login: string;
    readonly verified: boolean | null;
  }
>;

export declare const releaseRows: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly reason: string | null;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly unknown_collection: string | null;
    readonly unknown_code: string | null;
    readonly changed: bigint;
    readonly person_ref: string | null;
    readonly login: string;
    readonly verified: boolean | null;
  }
>;

export declare const trustRow: Statement<
  {
    readonly kind: string;
    readonly source: string;
    readonly scope: string;
    readonly level: string;
    readonly reason: string | null;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly before: string | null;
    readonly changed: bigint;
    readonly person_ref: string | null;
    readonly login: string;
    readonly verified: boolean | null;
  }
>;
