// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readExceptionSubjects: Statement<
  {
    readonly codes: readonly string[];
  },
  {
    readonly exception_code: string;
    readonly subject_kind: string;
    readonly link: string | null;
    readonly code: string | null;
    readonly collection_name: string | null;
    readonly object_class: string | null;
    readonly inventory_key: string | null;
  }
>;
