// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const createLink: Statement<
  {
    readonly tokenId: string;
  },
  {
    readonly outcome: string;
    readonly link: string | null;
    readonly expires_at: string | null;
    readonly login: string;
  }
>;

export declare const openSession: Statement<
  {
    readonly credential: string;
  },
  {
    readonly session_id: string;
    readonly secret: string;
    readonly expires_at: string;
  }
>;

export declare const closeSession: Statement<
  {
    readonly credential: string;
    readonly everywhere: boolean;
  },
  {
    readonly ended: bigint;
  }
>;

export declare const readIdentity: Statement<
  Record<never, never>,
  {
    readonly token_id: string;
    readonly token_name: string;
    readonly person_ref: string | null;
    readonly approver_type: string | null;
    readonly permissions: readonly string[];
    readonly scopes: readonly string[] | null;
    readonly owners: readonly string[] | null;
    readonly expires_at: string;
  }
>;
