// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const createToken: Statement<
  {
    readonly name: string;
    readonly person: string | null;
    readonly pipeline: boolean;
    readonly permissions: readonly string[];
    readonly scopes: readonly string[] | null;
    readonly owners: readonly string[] | null;
    readonly days: number | null;
  },
  {
    readonly outcome: string;
    readonly detail: string | null;
    readonly token_id: string | null;
    readonly token: string | null;
    readonly person_ref: string | null;
    readonly expires_at: string | null;
    readonly created_by: string | null;
    readonly login: string;
  }
>;

export declare const revokeToken: Statement<
  {
    readonly tokenId: string;
  },
  {
    readonly outcome: string;
    readonly revoked_by: string | null;
    readonly login: string;
  }
>;

export declare const listTokens: Statement<
  {
    readonly tokenId: string | null;
    readonly after: string | null;
    readonly limit: bigint;
  },
  {
    readonly token_id: string;
    readonly token_name: string;
    readonly person_ref: string | null;
    readonly permissions: readonly string[];
    readonly scopes: readonly string[] | null;
    readonly owners: readonly string[] | null;
    readonly created_at: string;
    readonly created_by: string;
    readonly expires_at: string;
    readonly revoked_at: string | null;
    readonly revoked_by: string | null;
    readonly last_used_at: string | null;
    readonly status: string;
  }
>;
