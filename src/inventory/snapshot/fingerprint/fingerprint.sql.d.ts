// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../../db/index.js';

export declare const readBounds: Statement<
  Record<never, never>,
  {
    readonly first_id: bigint | null;
    readonly last_id: bigint | null;
  }
>;

export declare const readServerFacts: Statement<
  {
    readonly littleEndian: bigint;
  },
  {
    readonly version_num: number;
    readonly encoding: string;
    readonly endianness: string;
  }
>;

export declare const aggregateAllBirths: Statement<
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly births: bigint;
    readonly max_id: bigint;
    readonly max_born_at: string;
    readonly h1: string;
    readonly h2: string;
  }
>;

export declare const aggregateBirths: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
  },
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly births: bigint;
    readonly max_id: bigint;
    readonly max_born_at: string;
    readonly h1: string;
    readonly h2: string;
  }
>;

export declare const aggregateMembers: Template<
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
    readonly births: bigint;
    readonly max_id: bigint;
    readonly max_born_at: string;
    readonly h1: string;
    readonly h2: string;
    readonly keys: readonly bigint[];
  }
>;

export declare const sealBirths: Statement<
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
    readonly w1: string;
    readonly w2: string;
    readonly w3: string;
    readonly w4: string;
  }
>;

export declare const sealMembers: Template<
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
    readonly w1: string;
    readonly w2: string;
    readonly w3: string;
    readonly w4: string;
  }
>;
