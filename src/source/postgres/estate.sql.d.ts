// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readSchemas: Statement<
  Record<never, never>,
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly comment: string | null;
    readonly parent_comment: string | null;
    readonly attributes: string;
  }
>;

export declare const readRoles: Statement<
  Record<never, never>,
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly comment: string | null;
    readonly parent_comment: string | null;
    readonly attributes: string;
  }
>;

export declare const readExtensions: Statement<
  Record<never, never>,
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly comment: string | null;
    readonly parent_comment: string | null;
    readonly attributes: string;
  }
>;

export declare const readPublications: Statement<
  Record<never, never>,
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly comment: string | null;
    readonly parent_comment: string | null;
    readonly attributes: string;
  }
>;

export declare const readSubscriptions: Statement<
  Record<never, never>,
  {
    readonly class: string;
    readonly code: string;
    readonly identity: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly comment: string | null;
    readonly parent_comment: string | null;
    readonly attributes: string;
  }
>;

export declare const mayReadConnections: Statement<
  Record<never, never>,
  {
    readonly may: boolean;
  }
>;

export declare const readConnectionSecrets: Statement<
  Record<never, never>,
  {
    readonly code: string;
    readonly secret: boolean;
  }
>;
