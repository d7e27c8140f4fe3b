// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const readActiveHash: Statement<
  {
    readonly family: string;
  },
  {
    readonly ruleset_version: string;
    readonly content_hash: string;
  }
>;

export declare const readActiveBytes: Statement<
  {
    readonly version: string;
  },
  {
    readonly bytes: string;
  }
>;
