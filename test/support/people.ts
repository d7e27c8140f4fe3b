// People with their own database logins, as a DBA creates them: a role with a password that is a member of
// gcos_api, and a row of governance_actor.
import { randomBytes } from 'node:crypto';
import type { Gcos } from '../../src/index.js';
import type { ApproverType } from '../../src/record/approval/index.js';
import { asHost, urlFor } from './database.js';
import { openAt } from './estate.js';

const PASSWORD = 'only-for-this-test';

export interface Person {
  readonly name: string;
  readonly login: string;
  readonly url: string;
  readonly gcos: Gcos;
}

export interface People {
  /** A login that is not mapped to a person; it has the rights of `role`. */
  login(hint: string, role?: string): Promise<Omit<Person, 'name'>>;
  /** A person with a login. */
  person(name: string, type: ApproverType, options?: { mayActForOthers?: boolean }): Promise<Person>;
  close(): Promise<void>;
}

/** `url` is the DBA's. Roles are cluster-wide, so their names are unique and `close` drops them. */
export function createPeople(url: string): People {
  const mark = randomBytes(4).toString('hex');
  const logins: string[] = [];
  const open: Gcos[] = [];
  async function login(hint: string, group = 'gcos_api'): Promise<Omit<Person, 'name'>> {
    const role = `p_${mark}_${hint.replaceAll('-', '_')}`;
    await asHost(url, `create role ${role} login password '${PASSWORD}' in role ${group}`);
    logins.push(role);
    const own = urlFor(url, { user: role, password: PASSWORD });
    const gcos = await openAt(own, { GCOS_POOL_SIZE: '2' });
    open.push(gcos);
    return { login: role, url: own, gcos };
  }
  return {
    login,
    async person(name, type, options = {}) {
      const made = await login(name);
      await asHost(
        url,
        `insert into governance_actor (person_ref, login, approver_type, may_act_for_others)
         values ('${name}', '${made.login}', '${type}', ${options.mayActForOthers === true})`,
      );
      return { name, ...made };
    },
    async close() {
      for (const gcos of open) await gcos.close();
      for (const role of logins) await asHost(url, `drop role ${role}`);
    },
  };
}
