// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readReasons: Statement<
  {
    readonly anyClass: boolean;
  },
  {
    readonly collection_name: string;
    readonly entity_code: string;
    readonly object_class: string | null;
    readonly reason: string;
  }
>;

export declare const readReasonsOf: Statement<
  {
    readonly at: string;
    readonly collection: string;
    readonly code: string;
  },
  {
    readonly reason: string;
    readonly object_class: string | null;
    readonly ref: string;
  }
>;

export declare const readHeld: Statement<
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly entity_code: string;
  }
>;

export declare const readChanged: Statement<
  Record<never, never>,
  {
    readonly collection_name: string;
    readonly entity_code: string;
    readonly inventory_key: string;
    readonly reason: string;
    readonly ended: boolean;
    readonly birth_id: bigint | null;
  }
>;

export declare const forgetConsulted: Statement<
  {
    readonly at: string;
  },
  {
    readonly objects: bigint;
  }
>;
