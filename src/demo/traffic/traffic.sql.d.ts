// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readPrototypes: Statement<
  {
    readonly prefix: string;
    readonly collections: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly species_code: string | null;
    readonly composition_level: string | null;
    readonly dot_origin: string | null;
    readonly governance_role: string | null;
    readonly earlier: bigint;
  }
>;

export declare const insertBirths: Statement<
  {
    readonly codes: readonly string[];
    readonly collections: readonly string[];
    readonly species: readonly string[];
    readonly levels: readonly string[];
    readonly origins: readonly string[];
    readonly seconds: readonly number[];
    readonly roles: readonly string[];
  },
  {
    readonly rows: bigint;
  }
>;

export declare const changeBirths: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly rows: bigint;
  }
>;

export declare const retireBirths: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly rows: bigint;
  }
>;

export declare const deleteBirths: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly rows: bigint;
  }
>;

export declare const moveBirths: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly targets: readonly string[];
  },
  {
    readonly rows: bigint;
  }
>;

export declare const noteChanges: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly actions: readonly string[];
  },
  {
    readonly rows: bigint;
  }
>;

export declare const changeOwners: Statement<
  {
    readonly collections: readonly string[];
    readonly scopes: readonly string[];
    readonly owners: readonly string[];
  },
  {
    readonly rows: bigint;
  }
>;

export declare const changeRules: Statement<
  {
    readonly patterns: readonly string[];
    readonly hours: readonly number[];
  },
  {
    readonly rows: bigint;
  }
>;
