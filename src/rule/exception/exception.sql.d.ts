// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readTerms: Statement<
  {
    readonly kind: string;
    readonly collection: string | null;
    readonly code: string | null;
    readonly inventoryKey: string | null;
    readonly objectClass: string | null;
    readonly scope: string;
    readonly link: string | null;
    readonly expiresAt: string;
  },
  {
    readonly terms: string | null;
  }
>;

export declare const grantRow: Statement<
  {
    readonly kind: string;
    readonly collection: string | null;
    readonly code: string | null;
    readonly inventoryKey: string | null;
    readonly objectClass: string | null;
    readonly scope: string;
    readonly link: string | null;
    readonly reason: string;
    readonly expiresAt: string;
    readonly approvalRef: string | null;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly exception_code: string | null;
    readonly person_ref: string | null;
    readonly login: string;
  }
>;

export declare const revokeRow: Statement<
  {
    readonly code: string;
    readonly reason: string;
    readonly as: string | null;
  },
  {
    readonly outcome: string;
    readonly person_ref: string | null;
    readonly login: string;
  }
>;
