// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../../db/index.js';

export declare const readDelegations: Statement<
  {
    readonly at: string;
  },
  {
    readonly object_type: string;
    readonly object_ref: string;
    readonly scope: string;
    readonly owner: string;
    readonly effective_to: string;
  }
>;

export declare const readPhantoms: Statement<
  {
    readonly at: string;
    readonly placeClasses: readonly string[];
    readonly placeCollections: readonly string[];
    readonly inherits: readonly boolean[];
    readonly classes: readonly string[];
  },
  {
    readonly object_type: string;
    readonly object_ref: string;
    readonly scope: string;
  }
>;

export declare const previewPhantoms: Statement<
  {
    readonly collections: readonly string[];
    readonly codes: readonly string[];
    readonly registries: readonly string[];
    readonly at: string;
    readonly placeClasses: readonly string[];
    readonly placeCollections: readonly string[];
    readonly inherits: readonly boolean[];
    readonly classes: readonly string[];
  },
  {
    readonly object_type: string;
    readonly object_ref: string;
    readonly scope: string;
  }
>;

export declare const readIslands: Statement<
  Record<never, never>,
  {
    readonly authority: string;
    readonly subjects: readonly string[];
    readonly approvals: bigint;
    readonly reviewed: readonly string[];
    readonly statuses: readonly string[];
  }
>;

export declare const readBypasses: Statement<
  {
    readonly actions: readonly string[];
    readonly classes: readonly string[];
    readonly ids: readonly bigint[] | null;
  },
  {
    readonly id: bigint;
    readonly entity_type: string;
    readonly entity_code: string;
    readonly action: string;
  }
>;

export declare const readKnown: Statement<
  {
    readonly types: readonly string[];
  },
  {
    readonly finding_type: string;
    readonly subject: string;
  }
>;

export declare const readAxesInUse: Statement<
  {
    readonly pivots: readonly string[];
    readonly pivotFamilies: readonly string[];
    readonly declared: readonly string[];
  },
  {
    readonly family: string;
    readonly used_by: readonly string[];
  }
>;

export declare const previewAxesInUse: Statement<
  {
    readonly families: readonly (string | null)[];
    readonly classes: readonly string[];
    readonly pivots: readonly string[];
    readonly pivotFamilies: readonly string[];
    readonly declared: readonly string[];
  },
  {
    readonly family: string;
    readonly used_by: readonly string[];
  }
>;

export declare const readOwned: Template<
  'table' | 'code' | 'owner' | 'status' | 'where',
  Record<never, never>,
  {
    readonly code: string;
    readonly owner: string | null;
    readonly status: string | null;
  }
>;

export declare const readListed: Template<
  'table' | 'code' | 'approval' | 'expires' | 'status',
  {
    readonly at: string;
  },
  {
    readonly code: string;
    readonly approval_ref: string | null;
    readonly is_over: boolean | null;
    readonly status: string | null;
  }
>;
