// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const list: Statement<
  {
    readonly at: string;
    readonly status: string | null;
    readonly after: string | null;
    readonly code: string | null;
    readonly scope: string | null;
    readonly limit: bigint;
    readonly withUnits: boolean;
  },
  {
    readonly exception_code: string;
    readonly subject_kind: string;
    readonly collection_name: string | null;
    readonly entity_code: string | null;
    readonly inventory_key: string | null;
    readonly object_class: string | null;
    readonly scope: string;
    readonly link: string | null;
    readonly reason: string;
    readonly requested_by: string;
    readonly granted_at: string;
    readonly expires_at: string;
    readonly approval_ref: string | null;
    readonly status: string;
    readonly units: bigint;
    readonly needing: bigint;
  }
>;

export declare const listScopes: Statement<
  Record<never, never>,
  {
    readonly scope: string;
  }
>;

export declare const readDetail: Statement<
  {
    readonly code: string;
  },
  {
    readonly revoked_at: string | null;
    readonly revoked_by: string | null;
    readonly revoke_reason: string | null;
    readonly fingerprint_at_grant: string;
    readonly fingerprint_now: string | null;
  }
>;
