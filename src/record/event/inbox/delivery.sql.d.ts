// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const listDeliveries: Statement<
  {
    readonly recipient: string;
    readonly after: bigint;
    readonly all: boolean;
    readonly limit: number;
  },
  {
    readonly id: bigint;
    readonly kind: string;
    readonly event_id: string | null;
    readonly event_type: string | null;
    readonly canonical_address: string | null;
    readonly severity: string;
    readonly signals: bigint;
    readonly window_start: string;
    readonly delivered_at: string;
    readonly read_at: string | null;
    readonly escalated_at: string | null;
    readonly escalated_from: string | null;
  }
>;

export declare const listRecipients: Statement<
  Record<never, never>,
  {
    readonly recipient: string;
  }
>;

export declare const listTables: Statement<
  {
    readonly schema: string;
  },
  {
    readonly relation: string;
  }
>;

export declare const listTypeNames: Statement<
  Record<never, never>,
  {
    readonly event_type: string;
  }
>;

export declare const markRead: Statement<
  {
    readonly recipient: string;
    readonly ids: readonly bigint[] | null;
  },
  {
    readonly marked: bigint;
  }
>;

export declare const unknownDeliveries: Statement<
  {
    readonly ids: readonly bigint[];
    readonly recipient: string;
  },
  {
    readonly id: bigint;
  }
>;

export declare const addSubscription: Statement<
  {
    readonly recipient: string;
    readonly type: string | null;
    readonly stream: string | null;
    readonly subjectTable: string | null;
    readonly filter: string;
  },
  {
    readonly subscription: string;
    readonly created: boolean;
  }
>;

export declare const muteSubscriptions: Statement<
  {
    readonly recipient: string;
    readonly subscription: string | null;
    readonly type: string | null;
    readonly stream: string | null;
    readonly mute: boolean;
    readonly end: boolean;
  },
  {
    readonly changed: bigint;
  }
>;

export declare const escalateRows: Statement<
  Record<never, never>,
  {
    readonly escalated: bigint;
  }
>;

export declare const listSubscriptions: Statement<
  {
    readonly recipient: string | null;
    readonly after: string | null;
    readonly limit: number;
  },
  {
    readonly id: string;
    readonly recipient_ref: string;
    readonly event_type: string | null;
    readonly event_stream: string | null;
    readonly subject_table: string | null;
    readonly filter: string;
    readonly mute: boolean;
  }
>;
