// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readGaps: Statement<
  {
    readonly links: readonly string[];
    readonly types: readonly string[];
  },
  {
    readonly action: string;
    readonly link: string;
    readonly kind: string;
    readonly subject: string;
    readonly collection: string | null;
    readonly scope: string | null;
    readonly objects: bigint;
    readonly alone: bigint;
    readonly members: bigint;
    readonly sample: readonly string[];
    readonly owners: readonly string[];
    readonly findings: readonly string[];
    readonly routes: readonly string[];
    readonly severity: string | null;
    readonly snapshot: bigint;
    readonly ruleset: string;
    readonly scan_time: string;
    readonly run: string | null;
  }
>;

export declare const readOthers: Statement<
  {
    readonly alone: readonly string[];
    readonly unplaced: readonly string[];
  },
  {
    readonly code: string;
    readonly type: string;
    readonly subject: string;
    readonly scope: string | null;
    readonly severity: string;
    readonly routes: readonly string[];
    readonly ruleset: string | null;
    readonly closed_when: string;
    readonly entity_type: string | null;
    readonly entity_code: string | null;
    readonly run: string | null;
    readonly objects: bigint;
    readonly members: bigint;
    readonly sample: readonly string[];
  }
>;

export declare const readFinding: Statement<
  {
    readonly code: string;
  },
  {
    readonly code: string;
    readonly type: string;
    readonly subject: string;
    readonly scope: string | null;
    readonly severity: string;
    readonly routes: readonly string[];
    readonly ruleset: string | null;
    readonly closed_when: string;
    readonly entity_type: string | null;
    readonly entity_code: string | null;
    readonly run: string | null;
    readonly is_open: boolean;
  }
>;

export declare const readPending: Statement<
  {
    readonly remedy: string;
  },
  {
    readonly code: string;
  }
>;

export declare const lockProposals: Statement<
  Record<never, never>,
  {
    readonly locked: boolean;
  }
>;

export declare const readEvaluated: Statement<
  Record<never, never>,
  {
    readonly snapshot: bigint | null;
    readonly not_evaluated: bigint;
  }
>;
