// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readWebhooks: Statement<
  {
    readonly id: bigint | null;
  },
  {
    readonly webhook_id: bigint;
    readonly location: string;
    readonly types: readonly string[];
    readonly format: string;
    readonly secret: string | null;
    readonly former_secret: string | null;
    readonly allow_private: boolean;
    readonly added_at: string;
    readonly added_by: string;
    readonly sent_number: bigint;
    readonly delivered: bigint;
    readonly delivered_at: string | null;
    readonly failures: number;
    readonly failing_since: string | null;
    readonly next_attempt_at: string | null;
    readonly last_error: string | null;
    readonly disabled_at: string | null;
    readonly former_until: string | null;
    readonly both_sign: boolean;
    readonly waiting: bigint;
    readonly database: string;
  }
>;

export declare const readDue: Statement<
  Record<never, never>,
  {
    readonly webhook_id: bigint;
    readonly location: string;
    readonly types: readonly string[];
    readonly format: string;
    readonly secret: string | null;
    readonly former_secret: string | null;
    readonly allow_private: boolean;
    readonly added_at: string;
    readonly added_by: string;
    readonly sent_number: bigint;
    readonly delivered: bigint;
    readonly delivered_at: string | null;
    readonly failures: number;
    readonly failing_since: string | null;
    readonly next_attempt_at: string | null;
    readonly last_error: string | null;
    readonly disabled_at: string | null;
    readonly former_until: string | null;
    readonly both_sign: boolean;
    readonly waiting: bigint;
    readonly database: string;
  }
>;

export declare const readNext: Statement<
  Record<never, never>,
  {
    readonly next_seconds: number | null;
    readonly lag_seconds: number | null;
  }
>;

export declare const addWebhook: Statement<
  {
    readonly location: string;
    readonly types: readonly string[];
    readonly format: string;
    readonly secret: string | null;
    readonly allowPrivate: boolean;
  },
  {
    readonly id: bigint;
  }
>;

export declare const rotateWebhook: Statement<
  {
    readonly id: bigint;
    readonly secret: string;
    readonly hours: number;
  },
  {
    readonly rotated: boolean;
  }
>;

export declare const removeWebhook: Statement<
  {
    readonly id: bigint;
  },
  {
    readonly removed: boolean;
  }
>;

export declare const noteSent: Statement<
  {
    readonly id: bigint;
    readonly number: bigint;
    readonly delivered: bigint;
  },
  {
    readonly noted: boolean;
  }
>;

export declare const noteFailed: Statement<
  {
    readonly id: bigint;
    readonly error: string;
    readonly retryAfter: number | null;
    readonly gone: boolean;
  },
  {
    readonly failures: number;
  }
>;

export declare const giveUp: Statement<
  {
    readonly id: bigint;
    readonly numbers: readonly bigint[];
    readonly refused: boolean;
  },
  {
    readonly buried: bigint;
  }
>;

export declare const readFailing: Statement<
  Record<never, never>,
  {
    readonly webhook_id: bigint;
    readonly last_error: string | null;
    readonly failures: number;
    readonly failing_since: string | null;
    readonly disabled_at: string | null;
  }
>;
