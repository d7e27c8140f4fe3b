// A host whose tables belong to a role that is no superuser, as on real platforms, for tests of what such a
// role can do to GCOS. It logs in for real.
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { asHost, urlFor } from './database.js';
import { createEstate, type Estate } from './estate.js';
import { createPeople, type Person } from './people.js';
import { startServer } from './server.js';

const PASSWORD = 'only-for-this-test';

export interface HostOwner {
  readonly role: string;
  readonly url: string;
  /** Runs `text` with the login of the host's owner. */
  run(text: string): ReturnType<typeof asHost>;
}

/** A role with a login, unique on the server. Drop it after the database: `dropRole`. */
export async function createLogin(url: string, hint: string, inRole?: string): Promise<HostOwner> {
  const role = `${hint}_${randomBytes(4).toString('hex')}`;
  await asHost(
    url,
    `create role ${role} login password '${PASSWORD}'${inRole === undefined ? '' : ` in role ${inRole}`}`,
  );
  const own = urlFor(url, { user: role, password: PASSWORD });
  return { role, url: own, run: (text) => asHost(own, text) };
}

/**
 * Gives every table of the host, and its schema, to a role that is no superuser; it keeps a log that all may
 * write.
 */
async function giveHostTo({ url }: Pick<Estate, 'url'>, owner: HostOwner): Promise<void> {
  await asHost(
    url,
    `do $$
     declare
       each regclass;
     begin
       for each in
         select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
           and pg_get_userbyid(c.relowner) not like 'gcos\\_%'
       loop
         execute format('alter table %s owner to ${owner.role}', each);
       end loop;
     end $$;
     alter schema public owner to ${owner.role}`,
  );
  await owner.run(
    'create table host_log (place text, attempt text, outcome text); grant insert, select on host_log to public',
  );
}

export type HostileEstate = Awaited<ReturnType<typeof createHostileEstate>>;

/**
 * An estate with rules in force whose host tables belong to `owner`. The worst case: that role is also a
 * person of GCOS, who may call the acts. `binaries`: of another version than the suite's server.
 */
export async function createHostileEstate(binaries: string | undefined) {
  const server = binaries === undefined ? undefined : await startServer({ binaries: findBinaries(binaries) });
  const estate = await createEstate('ruled', ...(server === undefined ? [] : [server.url]));
  const people = createPeople(estate.url);
  const president = await people.person('the-president', 'president');
  const member = await people.person('a-member', 'member');
  const owner = await createLogin(estate.url, 'host', 'gcos_api');
  await asHost(
    estate.url,
    `insert into governance_actor (person_ref, login, approver_type) values ('host', '${owner.role}', 'member')`,
  );
  await giveHostTo(estate, owner);
  return {
    estate,
    president,
    member,
    owner,
    /** What the host's code wrote. */
    log: () => asHost(estate.url, 'select place, attempt, outcome from host_log'),
    forget: () => asHost(estate.url, 'truncate host_log'),
    async openRequest(): Promise<string> {
      const [row] = await asHost(
        member.url,
        `select outcome, request_code from gcos_trust.gcos_open_request('gcos.remediation.propose', '{"what": "x"}', null)`,
      );
      expect(row?.['outcome']).toBe('ok');
      return String(row?.['request_code']);
    },
    async decide(person: Person, code: string): Promise<unknown> {
      const text = `select outcome from gcos_trust.gcos_decide('${code}', 'approve', null, null)`;
      return (await asHost(person.url, text))[0]?.['outcome'];
    },
    decisionsOn: (code: string) =>
      asHost(
        estate.url,
        `select person_ref from gcos_trust.governance_decision where request_code = '${code}'`,
      ),
    async close(): Promise<void> {
      const other = urlFor(estate.url, { database: 'postgres' });
      await people.close();
      await estate.close();
      await asHost(other, `drop role ${owner.role}`);
      await server?.stop();
    },
  };
}
