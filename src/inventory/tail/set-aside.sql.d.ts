// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readSetAside: Statement<
  Record<never, never>,
  {
    readonly id: bigint;
    readonly collection_name: string;
    readonly code: string;
    readonly species_code: string | null;
    readonly status: string | null;
    readonly born_at: string;
    readonly h1: string;
    readonly h2: string;
  }
>;
