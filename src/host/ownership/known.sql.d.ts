// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const listBodies: Statement<
  Record<never, never>,
  {
    readonly code: string;
  }
>;

export declare const listScopeDefaults: Statement<
  Record<never, never>,
  {
    readonly owner: string;
  }
>;

export declare const listScopeCodes: Statement<
  Record<never, never>,
  {
    readonly scope: string;
  }
>;

export declare const listOwners: Statement<
  Record<never, never>,
  {
    readonly owner: string;
  }
>;

export declare const listCollections: Statement<
  Record<never, never>,
  {
    readonly collection: string;
  }
>;
