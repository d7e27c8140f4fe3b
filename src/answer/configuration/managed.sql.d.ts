// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readManaged: Statement<
  {
    readonly kinds: readonly string[];
    readonly keys: readonly string[];
  },
  {
    readonly kind: string;
    readonly managed_key: string;
    readonly applied: string | null;
    readonly content: string | null;
  }
>;

export declare const readManages: Statement<
  Record<never, never>,
  {
    readonly bodies: boolean;
    readonly home: boolean;
    readonly links: boolean;
  }
>;

export declare const manage: Statement<
  {
    readonly kinds: readonly string[];
    readonly keys: readonly string[];
  },
  {
    readonly changed: bigint;
  }
>;

export declare const writeBodies: Statement<
  {
    readonly codes: readonly string[];
    readonly names: readonly string[];
  },
  {
    readonly code: string;
  }
>;
