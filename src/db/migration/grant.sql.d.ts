// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../statement.js';

export declare const readAcl: Statement<
  {
    readonly schema: string;
    readonly roles: readonly string[];
  },
  {
    readonly relation: string;
    readonly grantee: string;
    readonly privilege: string;
  }
>;

export declare const readGrants: Statement<
  {
    readonly schema: string;
  },
  {
    readonly relation: string;
    readonly grantee: string;
    readonly privilege: string;
  }
>;
