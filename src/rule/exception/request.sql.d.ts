// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const lock: Statement<
  Record<never, never>,
  {
    readonly locked: boolean;
  }
>;

export declare const readSame: Statement<
  {
    readonly at: string;
    readonly kind: string;
    readonly collection: string | null;
    readonly code: string | null;
    readonly inventoryKey: string | null;
    readonly objectClass: string | null;
    readonly scope: string;
    readonly link: string | null;
  },
  {
    readonly exception_code: string;
  }
>;

export declare const readEnd: Statement<
  {
    readonly at: string;
    readonly seconds: number;
  },
  {
    readonly ends_at: string;
  }
>;

export declare const resolveGroup: Statement<
  {
    readonly key: string;
  },
  {
    readonly inventory_key: string;
  }
>;

export declare const readOpenGaps: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly scopes: readonly string[];
    readonly links: readonly string[];
    readonly at: string;
    readonly until: string;
  },
  {
    readonly terms: string;
    readonly gaps: bigint;
  }
>;

export declare const grantListed: Statement<
  {
    readonly approvalRef: string;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly granted: bigint | null;
    readonly person_ref: string | null;
    readonly login: string;
  }
>;
