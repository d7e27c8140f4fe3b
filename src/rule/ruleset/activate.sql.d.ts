// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const activate: Statement<
  {
    readonly version: string;
    readonly planHash: string;
    readonly approvalRef: string;
    readonly expectedActive: string | null;
    readonly as: string | null;
    readonly alertLevel: string;
  },
  {
    readonly outcome: string;
    readonly superseded: string | null;
    readonly activated_at: string | null;
    readonly person_ref: string | null;
    readonly verified: boolean | null;
    readonly login: string;
  }
>;
