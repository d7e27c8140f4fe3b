// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../db/index.js';

export declare const readHasSettings: Statement<
  {
    readonly schema: string;
  },
  {
    readonly has_settings: boolean;
  }
>;

export declare const readStoredWords: Statement<
  Record<never, never>,
  {
    readonly kind: string;
    readonly word: string;
    readonly host_word: string | null;
  }
>;
