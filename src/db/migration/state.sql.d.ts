// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../statement.js';

export declare const readShape: Statement<
  {
    readonly schema: string;
  },
  {
    readonly present: boolean;
    readonly own_shape: boolean;
  }
>;

export declare const readState: Statement<
  Record<never, never>,
  {
    readonly kind: string;
    readonly id: number;
    readonly name: string;
    readonly checksum: string;
    readonly applied_at: string;
    readonly applied_by: string;
    readonly applied_with: string;
  }
>;

export declare const readNotedRows: Statement<
  Record<never, never>,
  {
    readonly before: string;
    readonly after: string;
  }
>;
