// Generated from the answers of a server (npm run sql). Edit the .sql file instead.
import type { Statement } from '../../db/index.js';

export declare const writePerson: Statement<
  {
    readonly person: string;
    readonly login: string | null;
    readonly approverType: string | null;
    readonly add: boolean;
  },
  {
    readonly outcome: string;
    readonly person_login: string | null;
    readonly approver_type: string | null;
    readonly login: string;
  }
>;

export declare const listPeople: Statement<
  {
    readonly person: string | null;
  },
  {
    readonly person_ref: string;
    readonly login: string | null;
    readonly approver_type: string;
    readonly title: string;
    readonly may_act_for_others: boolean;
    readonly active: boolean;
    readonly tokens: bigint;
  }
>;
