// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Template } from '../../../db/index.js';

export declare const pickIds: Template<
  'members',
  {
    readonly ids: readonly bigint[];
    readonly individual: readonly string[];
    readonly strict: readonly string[];
    readonly codeLength: number;
    readonly printable: boolean;
    readonly bornAfter: string;
    readonly at: string;
    readonly futureSeconds: number;
    readonly origins: readonly string[];
    readonly sources: readonly string[];
  },
  {
    readonly id: bigint;
    readonly collection_name: string;
    readonly entity_code: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly dot_origin: string | null;
    readonly invalid: string | null;
    readonly missing: string | null;
    readonly old: string | null;
    readonly member_status: string | null;
    readonly listed: boolean;
    readonly quarantined: boolean;
    readonly known: boolean;
    readonly births: bigint;
    readonly contradicting: boolean;
  }
>;

export declare const pickKeys: Template<
  'members',
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly codeLength: number;
    readonly printable: boolean;
    readonly at: string;
    readonly futureSeconds: number;
    readonly bornAfter: string;
  },
  {
    readonly id: bigint;
    readonly collection_name: string;
    readonly entity_code: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly dot_origin: string | null;
    readonly invalid: string | null;
    readonly missing: string | null;
    readonly old: string | null;
    readonly member_status: string | null;
    readonly listed: boolean;
    readonly quarantined: boolean;
    readonly known: boolean;
    readonly births: bigint;
    readonly contradicting: boolean;
  }
>;
