// A host whose tables belong to a role that is no superuser, as on real platforms, for tests of what such a
// role can do to GCOS. It logs in for real.
import { randomBytes } from 'node:crypto';
import { asHost, urlFor } from './database.js';
import type { Estate } from './estate.js';

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
export async function giveHostTo({ url }: Pick<Estate, 'url'>, owner: HostOwner): Promise<void> {
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
