// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../../db/index.js';

export declare const readTermRows: Statement<
  {
    readonly at: string;
    readonly withGroups: boolean;
    readonly owner: string | null;
    readonly first: bigint;
    readonly last: bigint;
  },
  {
    readonly scope: string;
    readonly inventory_key: string;
    readonly object_class: string;
    readonly source_registry: string;
    readonly axis_family: string | null;
    readonly lifecycle_status: string | null;
    readonly term: string;
    readonly cause: string;
    readonly units: bigint;
    readonly keys: string;
  }
>;

export declare const countDuplicates: Statement<
  {
    readonly withGroups: boolean;
    readonly first: bigint;
    readonly last: bigint;
  },
  {
    readonly scope: string;
    readonly duplicates: bigint;
  }
>;

export declare const readFailed: Template<
  'members',
  {
    readonly scopes: readonly string[];
    readonly collections: readonly string[];
  },
  {
    readonly scope: string;
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly member_status: string | null;
    readonly dead: boolean;
    readonly units: bigint;
    readonly keys: string;
  }
>;

export declare const readKeyless: Statement<
  Record<never, never>,
  {
    readonly units: bigint;
  }
>;
