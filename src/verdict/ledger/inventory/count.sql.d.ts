// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../../db/index.js';

export declare const readBounds: Statement<
  Record<never, never>,
  {
    readonly first_id: bigint | null;
    readonly last_id: bigint | null;
  }
>;

export declare const countContainers: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
  },
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly births: bigint;
  }
>;

export declare const countKeys: Template<
  'members',
  {
    readonly first: bigint;
    readonly last: bigint;
    readonly collections: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly member_status: string | null;
    readonly units: bigint;
    readonly keys: string;
  }
>;

export declare const countKeyless: Statement<
  Record<never, never>,
  {
    readonly births: bigint;
  }
>;

export declare const countUnborn: Template<
  'members',
  {
    readonly registries: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly member_status: string | null;
    readonly units: bigint;
    readonly keys: string;
  }
>;
