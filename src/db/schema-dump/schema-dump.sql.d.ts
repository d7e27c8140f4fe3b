// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../statement.js';

export declare const dumpRelations: Statement<
  {
    readonly schema: string;
  },
  {
    readonly object: string;
    readonly rank: number;
    readonly line: string;
  }
>;

export declare const dumpColumns: Statement<
  {
    readonly schema: string;
  },
  {
    readonly object: string;
    readonly rank: number;
    readonly line: string;
  }
>;

export declare const dumpConstraints: Statement<
  {
    readonly schema: string;
  },
  {
    readonly object: string;
    readonly rank: number;
    readonly line: string;
  }
>;

export declare const dumpIndexes: Statement<
  {
    readonly schema: string;
  },
  {
    readonly object: string;
    readonly rank: number;
    readonly line: string;
  }
>;

export declare const dumpTriggers: Statement<
  {
    readonly schema: string;
  },
  {
    readonly object: string;
    readonly rank: number;
    readonly line: string;
  }
>;

export declare const dumpDetails: Statement<
  {
    readonly schema: string;
  },
  {
    readonly object: string;
    readonly rank: number;
    readonly line: string;
  }
>;

export declare const dumpFunctions: Statement<
  {
    readonly schema: string;
  },
  {
    readonly object: string;
    readonly rank: number;
    readonly line: string;
  }
>;

export declare const dumpTypes: Statement<
  {
    readonly schema: string;
  },
  {
    readonly object: string;
    readonly rank: number;
    readonly line: string;
  }
>;

export declare const dumpPrivileges: Statement<
  {
    readonly schema: string;
  },
  {
    readonly object: string;
    readonly rank: number;
    readonly line: string;
  }
>;
