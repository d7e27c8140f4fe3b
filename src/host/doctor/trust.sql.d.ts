// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readHostCode: Statement<
  {
    readonly schema: string;
    readonly relations: readonly string[];
  },
  {
    readonly relation: string;
    readonly kind: string;
    readonly name: string;
    readonly function_name: string | null;
    readonly owner: string;
  }
>;

export declare const readCreators: Statement<
  {
    readonly schema: string;
    readonly relations: readonly string[];
  },
  {
    readonly role: string;
  }
>;

export declare const readStandIns: Statement<
  {
    readonly schema: string;
  },
  {
    readonly name: string;
    readonly owner: string;
  }
>;

export declare const readViews: Statement<
  {
    readonly schema: string;
    readonly relations: readonly string[];
  },
  {
    readonly relation: string;
    readonly owner: string;
  }
>;

export declare const readTrustSchema: Statement<
  {
    readonly roles: readonly string[];
    readonly trustSchema: string;
  },
  {
    readonly owner: string;
    readonly creators: readonly string[];
    readonly foreign_relations: readonly string[];
    readonly foreign_writers: readonly string[];
  }
>;

export declare const readOwnerRoles: Statement<
  {
    readonly owners: readonly string[];
  },
  {
    readonly role: string;
    readonly can_log_in: boolean;
    readonly is_powerful: boolean;
    readonly members: readonly string[];
    readonly administrators: readonly string[];
  }
>;

export declare const readRoleCreators: Statement<
  Record<never, never>,
  {
    readonly role: string;
  }
>;

export declare const readFunctions: Statement<
  {
    readonly roles: readonly string[];
    readonly trustSchema: string;
  },
  {
    readonly name: string;
    readonly signature: string;
    readonly owner: string;
    readonly body: string;
    readonly is_definer: boolean;
    readonly is_pinned: boolean;
    readonly strangers: readonly string[];
  }
>;

export declare const readCallers: Statement<
  {
    readonly trustSchema: string;
    readonly owners: readonly string[];
  },
  {
    readonly caller: string;
    readonly function_name: string;
  }
>;
