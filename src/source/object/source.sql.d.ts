// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readHome: Statement<
  Record<never, never>,
  {
    readonly home: boolean;
  }
>;

export declare const readSources: Statement<
  Record<never, never>,
  {
    readonly name: string;
    readonly kind: string;
    readonly config: string;
    readonly status: string;
    readonly added_at: string;
    readonly added_by: string;
    readonly read_at: string | null;
    readonly synced_at: string | null;
    readonly failed_at: string | null;
    readonly failing_since: string | null;
    readonly failures: number;
    readonly failure_code: string | null;
    readonly failure: string | null;
    readonly objects: bigint;
    readonly gone: bigint;
  }
>;

export declare const readDueSources: Statement<
  {
    readonly seconds: number;
    readonly share: number;
  },
  {
    readonly name: string;
    readonly kind: string;
    readonly config: string;
    readonly overdue_seconds: number;
  }
>;

export declare const addSource: Statement<
  {
    readonly name: string;
    readonly kind: string;
    readonly config: string;
  },
  {
    readonly added: boolean;
  }
>;

export declare const changeSource: Statement<
  {
    readonly name: string;
    readonly kind: string;
    readonly config: string;
  },
  {
    readonly changed: boolean;
  }
>;

export declare const beginSync: Statement<
  {
    readonly name: string;
  },
  {
    readonly began_at: string;
  }
>;

export declare const finishSync: Statement<
  {
    readonly name: string;
    readonly acceptShrink: boolean;
  },
  {
    readonly written: string;
  }
>;

export declare const failSource: Statement<
  {
    readonly name: string;
    readonly code: string;
    readonly failure: string;
  },
  {
    readonly recorded: boolean;
  }
>;

export declare const removeSource: Statement<
  {
    readonly name: string;
  },
  {
    readonly written: string;
  }
>;
