// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readBirthParts: Statement<
  {
    readonly schema: string;
  },
  {
    readonly name: string;
    readonly kind: string;
    readonly is_partition: boolean;
  }
>;

export declare const readOptionalKeys: Statement<
  {
    readonly schema: string;
  },
  {
    readonly name: string;
  }
>;
