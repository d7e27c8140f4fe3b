// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readRelations: Statement<
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

export declare const readColumns: Statement<
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

export declare const readPolicies: Statement<
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

export declare const readTriggers: Statement<
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
