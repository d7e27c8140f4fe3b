// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Template } from '../../db/index.js';

export declare const readProject: Template<
  'migrations',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readRoles: Template<
  'policies' | 'access' | 'roles',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readPolicies: Template<
  'policies' | 'access' | 'roles',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readCollections: Template<
  'collections',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readFields: Template<
  'collections' | 'fields',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readPermissions: Template<
  'collections' | 'policies' | 'access' | 'roles' | 'permissions',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readFlows: Template<
  'operations' | 'flows',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readOperations: Template<
  'operations' | 'flows',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readDashboards: Template<
  'dashboards',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readWebhooks: Template<
  'webhooks',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;

export declare const readExtensions: Template<
  'extensions',
  {
    readonly schema: string;
  },
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly note: string | null;
    readonly above: readonly string[];
    readonly attributes: string;
  }
>;
