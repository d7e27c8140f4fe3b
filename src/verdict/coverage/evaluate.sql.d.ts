// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement, Template } from '../../db/index.js';

export declare const readSources: Statement<
  {
    readonly inventoryKeys: readonly string[] | null;
  },
  {
    readonly inventory_key: string;
    readonly source_registry: string;
    readonly object_class: string;
    readonly units: bigint;
  }
>;

export declare const evaluateUnits: Template<
  'ownership' | 'members' | 'tools' | 'evidence',
  {
    readonly inventoryKeys: readonly string[];
    readonly rowScopes: readonly string[] | null;
    readonly classes: readonly string[];
    readonly scopes: readonly string[];
    readonly links: readonly string[];
    readonly canaryClasses: readonly string[];
    readonly canaryReferences: readonly (string | null)[];
    readonly at: string;
    readonly executed: readonly string[];
    readonly selfAuthorised: readonly string[];
    readonly ownershipAvailable: boolean;
    readonly evaluable: readonly string[];
    readonly runId: string;
    readonly audit: boolean;
  },
  {
    readonly what: string;
    readonly unit_no: bigint | null;
    readonly kind: string;
    readonly inventory_key: string | null;
    readonly scope: string | null;
    readonly object_class: string | null;
    readonly source_registry: string | null;
    readonly code: string | null;
    readonly link: string | null;
    readonly state: string | null;
    readonly risk_class: string | null;
    readonly tool: string | null;
    readonly amount: bigint;
  }
>;

export declare const previewUnits: Template<
  'ownership' | 'members' | 'tools' | 'evidence',
  {
    readonly unitNos: readonly bigint[];
    readonly isObject: readonly boolean[];
    readonly unitInventoryKeys: readonly string[];
    readonly unitScopes: readonly string[];
    readonly unitClasses: readonly string[];
    readonly unitRegistries: readonly string[];
    readonly unitCodes: readonly (string | null)[];
    readonly unitBirthIds: readonly (bigint | null)[];
    readonly unitWeights: readonly number[];
    readonly unitRisks: readonly string[];
    readonly classes: readonly string[];
    readonly scopes: readonly string[];
    readonly links: readonly string[];
    readonly canaryClasses: readonly string[];
    readonly canaryReferences: readonly (string | null)[];
    readonly at: string;
    readonly executed: readonly string[];
    readonly selfAuthorised: readonly string[];
    readonly ownershipAvailable: boolean;
    readonly evaluable: readonly string[];
  },
  {
    readonly what: string;
    readonly unit_no: bigint | null;
    readonly kind: string;
    readonly inventory_key: string | null;
    readonly scope: string | null;
    readonly object_class: string | null;
    readonly source_registry: string | null;
    readonly code: string | null;
    readonly link: string | null;
    readonly state: string | null;
    readonly risk_class: string | null;
    readonly tool: string | null;
    readonly amount: bigint;
  }
>;
