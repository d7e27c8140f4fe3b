// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const readOwnedTerms: Statement<
  {
    readonly at: string;
    readonly withGroups: boolean;
    readonly scope: string | null;
    readonly first: bigint;
    readonly last: bigint;
  },
  {
    readonly scope: string;
    readonly inventory_key: string;
    readonly owner_scope: string | null;
    readonly term: string;
    readonly units: bigint;
  }
>;

export declare const readLargestGroups: Statement<
  {
    readonly limit: bigint;
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
    readonly groups: bigint;
    readonly members: bigint;
  }
>;
