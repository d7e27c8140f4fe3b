// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const readAuditRow: Statement<
  {
    readonly everySeconds: number;
    readonly opensAt: string | null;
    readonly closesAt: string | null;
    readonly overdueSeconds: number;
  },
  {
    readonly closed_at: string | null;
    readonly overdue: boolean;
    readonly age_seconds: number;
    readonly due: boolean;
    readonly due_seconds: number;
  }
>;
