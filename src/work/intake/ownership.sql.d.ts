// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const rateTerms: Statement<
  {
    readonly rows: readonly string[];
    readonly at: string;
  },
  {
    readonly in_force: boolean;
    readonly is_over: boolean;
  }
>;

export declare const readBoundaries: Statement<
  {
    readonly at: string;
    readonly since: string | null;
  },
  {
    readonly row_key: string;
    readonly facts: string;
    readonly is_over: boolean;
  }
>;

export declare const readNextBoundary: Statement<
  {
    readonly at: string;
  },
  {
    readonly next_at: string | null;
  }
>;

export declare const isDue: Statement<
  {
    readonly nextAt: string;
    readonly at: string;
  },
  {
    readonly due: boolean;
  }
>;
