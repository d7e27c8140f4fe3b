// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readActor: Statement<
  {
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly person_ref: string | null;
    readonly approver_type: string | null;
    readonly login: string;
    readonly verified: boolean | null;
  }
>;
