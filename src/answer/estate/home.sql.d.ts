// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readEstate: Statement<
  {
    readonly name: string;
  },
  {
    readonly source_id: bigint;
    readonly read_at: string | null;
    readonly owner: string | null;
  }
>;

export declare const countClasses: Statement<
  {
    readonly sourceId: bigint;
  },
  {
    readonly object_class: string;
    readonly objects: bigint;
  }
>;

export declare const readUnitGaps: Statement<
  {
    readonly sourceId: bigint;
  },
  {
    readonly object_class: string;
    readonly code: string;
    readonly parent_class: string | null;
    readonly parent_code: string | null;
    readonly scope: string;
    readonly kind: string | null;
    readonly comment: string | null;
    readonly category: string | null;
    readonly note_at: string | null;
    readonly collection: string;
    readonly missing: string;
    readonly accepted: string;
    readonly conflicting: string;
  }
>;

export declare const readUnits: Statement<
  {
    readonly sourceId: bigint;
  },
  {
    readonly object_class: string;
    readonly collection: string;
    readonly code: string;
  }
>;

export declare const readNotRead: Statement<
  {
    readonly sourceId: bigint;
  },
  {
    readonly part: string;
    readonly reason: string;
  }
>;
