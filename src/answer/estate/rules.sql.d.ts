// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const insertPerson: Statement<
  Record<never, never>,
  {
    readonly person_ref: string;
  }
>;

export declare const insertBody: Statement<
  {
    readonly code: string;
  },
  {
    readonly code: string;
  }
>;
