// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../db/index.js';

export declare const readGroups: Statement<
  {
    readonly key: string;
  },
  {
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly unresolved_reason: string | null;
    readonly inherits: boolean;
    readonly member_count: bigint | null;
    readonly group_key: string | null;
    readonly scope: string | null;
    readonly owner_scope: string | null;
    readonly anchor: string | null;
  }
>;

export declare const readAbout: Statement<
  {
    readonly at: string;
    readonly registry: string;
    readonly code: string | null;
    readonly inventoryKey: string;
    readonly objectClass: string;
  },
  {
    readonly exception_code: string;
    readonly subject_kind: string;
    readonly scope: string;
    readonly link: string | null;
    readonly status: string;
    readonly expires_at: string;
  }
>;

export declare const readEffects: Statement<
  {
    readonly at: string;
    readonly rowIds: readonly bigint[];
  },
  {
    readonly row_id: bigint;
    readonly change: string;
  }
>;

export declare const readMember: Template<
  'members',
  {
    readonly code: string;
  },
  {
    readonly status: string | null;
  }
>;

export declare const readSuccessors: Template<
  'registry' | 'code' | 'supersedes' | 'refers_to',
  {
    readonly code: string;
  },
  {
    readonly code: string;
  }
>;

export declare const readFindings: Statement<
  {
    readonly rowIds: readonly bigint[];
  },
  {
    readonly row_id: bigint;
    readonly about: string;
    readonly code: string;
    readonly type: string;
    readonly status: string | null;
  }
>;
