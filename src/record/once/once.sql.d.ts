// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const lookAct: Statement<
  {
    readonly key: string;
    readonly request: string;
  },
  {
    readonly outcome: string;
    readonly status: number | null;
    readonly answer: string | null;
  }
>;

export declare const beginAct: Statement<
  {
    readonly key: string;
    readonly request: string;
    readonly attempt: string;
  },
  {
    readonly outcome: string;
    readonly status: number | null;
    readonly answer: string | null;
  }
>;

export declare const finishAct: Statement<
  {
    readonly key: string;
    readonly attempt: string;
    readonly status: number;
    readonly answer: string;
  },
  {
    readonly done: boolean;
  }
>;
