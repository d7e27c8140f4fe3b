// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const inspectTarget: Statement<
  {
    readonly schema: string;
    readonly mark: string;
    readonly names: readonly string[];
  },
  {
    readonly schema_exists: boolean;
    readonly schema_built: boolean;
    readonly occupied: readonly string[];
    readonly foreign_relations: readonly string[];
    readonly has_gcos: boolean;
    readonly marker: string | null;
  }
>;
