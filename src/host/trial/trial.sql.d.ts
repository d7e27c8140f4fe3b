// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const latestBirth: Statement<
  Record<never, never>,
  {
    readonly id: bigint;
  }
>;

export declare const birthsAfter: Statement<
  {
    readonly id: bigint;
  },
  {
    readonly births: bigint;
  }
>;

export declare const insertRegistryChangelog: Statement<
  {
    readonly alertLevel: string;
  },
  {
    readonly written: boolean;
  }
>;

export declare const insertEvolutionSnapshots: Statement<
  Record<never, never>,
  {
    readonly written: boolean;
  }
>;

export declare const insertSystemIssues: Statement<
  {
    readonly severity: string;
    readonly status: string;
  },
  {
    readonly written: boolean;
  }
>;

export declare const updateSystemIssues: Statement<
  Record<never, never>,
  {
    readonly written: boolean;
  }
>;

export declare const insertEventTypeRegistry: Statement<
  {
    readonly stream: string;
    readonly lane: string;
    readonly severity: string | null;
  },
  {
    readonly written: boolean;
  }
>;

export declare const updateEventTypeRegistry: Statement<
  Record<never, never>,
  {
    readonly written: boolean;
  }
>;

export declare const insertEventOutbox: Statement<
  {
    readonly stream: string;
    readonly lane: string;
    readonly severity: string | null;
  },
  {
    readonly written: boolean;
  }
>;

export declare const insertEventPending: Statement<
  Record<never, never>,
  {
    readonly written: boolean;
  }
>;

export declare const updateEventPending: Statement<
  Record<never, never>,
  {
    readonly written: boolean;
  }
>;

export declare const insertEventSubscription: Statement<
  Record<never, never>,
  {
    readonly written: boolean;
  }
>;

export declare const updateEventSubscription: Statement<
  Record<never, never>,
  {
    readonly written: boolean;
  }
>;

export declare const insertEventRead: Statement<
  {
    readonly stream: string;
    readonly lane: string;
    readonly severity: string | null;
  },
  {
    readonly written: boolean;
  }
>;

export declare const insertQueueHeartbeat: Statement<
  Record<never, never>,
  {
    readonly written: boolean;
  }
>;

export declare const updateQueueHeartbeat: Statement<
  Record<never, never>,
  {
    readonly written: boolean;
  }
>;
