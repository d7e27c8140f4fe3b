// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../../db/index.js';

export declare const listSettings: Statement<
  {
    readonly key: string | null;
  },
  {
    readonly key: string;
    readonly value: string;
    readonly about: string;
    readonly changed_by: string;
    readonly updated_at: string;
    readonly updated_by: string;
  }
>;

export declare const setSetting: Statement<
  {
    readonly key: string;
    readonly value: string;
  },
  {
    readonly outcome: string;
    readonly before: string | null;
    readonly changed_by: string | null;
    readonly person_ref: string | null;
    readonly login: string;
  }
>;
