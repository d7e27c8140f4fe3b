// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../../db/index.js';

export declare const findFormerUnborn: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
    readonly born: boolean;
  }
>;

export declare const findFormerDuplicates: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const readRowBounds: Statement<
  Record<never, never>,
  {
    readonly first_id: bigint | null;
    readonly last_id: bigint | null;
  }
>;

export declare const findMissing: Statement<
  {
    readonly first: bigint;
    readonly last: bigint;
    readonly collections: readonly string[] | null;
    readonly at: string;
    readonly rulesetVersion: string;
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
    readonly born: boolean;
  }
>;

export declare const findLive: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const countDue: Statement<
  {
    readonly inventoryKeys: readonly string[];
    readonly scopes: readonly string[];
    readonly basisHashes: readonly string[];
    readonly at: string;
    readonly rulesetVersion: string;
  },
  {
    readonly groups: bigint;
  }
>;

export declare const findLapsedSingle: Statement<
  {
    readonly individual: readonly string[];
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const findBad: Statement<
  {
    readonly collections: readonly string[] | null;
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const findGroups: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
  },
  {
    readonly inventory_key: string;
  }
>;

export declare const buryObjects: Statement<
  {
    readonly rulesetVersion: string;
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly at: string;
    readonly runId: string;
  },
  {
    readonly objects: bigint;
    readonly recorded: bigint;
  }
>;

export declare const endReasons: Statement<
  {
    readonly at: string;
    readonly runId: string;
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly reasons: readonly string[];
    readonly areThere: boolean;
  },
  {
    readonly objects: bigint;
    readonly retired: bigint;
  }
>;

export declare const writeObjects: Statement<
  {
    readonly kindNos: readonly number[];
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly birthIds: readonly (bigint | null)[];
    readonly reasons: readonly string[];
    readonly kinds: readonly number[];
    readonly scopes: readonly string[];
    readonly inventoryKeys: readonly string[];
    readonly groupKeys: readonly string[];
    readonly owners: readonly (string | null)[];
    readonly verdicts: readonly string[];
    readonly lines: readonly number[];
    readonly evidence: readonly string[];
    readonly inputStates: readonly (string | null)[];
    readonly dependsOn: readonly string[];
    readonly riskClasses: readonly string[];
    readonly coverageRequired: readonly boolean[];
    readonly ttlSeconds: readonly bigint[];
    readonly weights: readonly number[];
    readonly basisHashes: readonly string[];
    readonly ownHashes: readonly string[];
    readonly ownedNos: readonly number[];
    readonly ownedScopes: readonly string[];
    readonly ownOwners: readonly (string | null)[];
    readonly ownedHashes: readonly string[];
    readonly rulesetVersion: string;
    readonly at: string;
    readonly sawAllBirths: boolean;
    readonly runId: string;
    readonly cause: string;
  },
  {
    readonly inserted: bigint;
    readonly changed: bigint;
    readonly renewed: bigint;
    readonly superseded: bigint;
    readonly recorded: bigint;
  }
>;

export declare const findUnborn: Template<
  'members',
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly entity_code: string;
    readonly member_status: string | null;
  }
>;
