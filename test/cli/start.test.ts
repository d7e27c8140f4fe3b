// `npm start`, as package.json has it, at a small size: it answers, serves and works on a server of its own,
// whatever database is configured, and Ctrl-C ends everything that it started.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkout, startCli } from '../support/cli.js';
import { asHost, createDatabase } from '../support/database.js';
import { newHome, statusOf, useHomes } from '../support/home.js';
import { until } from '../support/wait.js';

useHomes();

/** The arguments of the command that `npm start` runs. */
function startArguments(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const [, args] = /^node dist\/gcos\.js (.+)$/.exec(scripts.start) ?? [];
  return (args ?? '').split(' ');
}

it('leaves a configured database untouched, serves, and ends everything at Ctrl-C', async () => {
  const other = await createDatabase();
  const touched = () =>
    asHost(
      other.url,
      `select (select count(*)::int from pg_class where relnamespace = 'public'::regnamespace or relnamespace::regnamespace::text like 'gcos%') as relations,
        (select count(*)::int from pg_namespace where nspname like 'gcos%') as schemas,
        (select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'gcos%') as sessions`,
    );
  const { home } = newHome();
  const { child, done } = startCli([...startArguments(), '--rows', '2000', '--port', '0'], {
    env: { GCOS_HOME: home, DATABASE_URL: other.url },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: string) => {
      printed += text;
    });
  try {
    await until('it stays up', () => /Ctrl-C stops/.test(printed) || child.exitCode !== null, 600_000);
    expect(printed).toMatch(/ALLOW {2}dot_tools \/ DOT-118[\s\S]*BLOCK {2}dot_tools \/ DOT-117/);
    const [, token = '', url = ''] = /Bearer (\S+?)' (\S+?)\/api\/v1\/status/.exec(printed) ?? [];
    expect(printed).toContain(`serving ${url}/api/v1`);
    const status = await fetch(`${url}/api/v1/status`, { headers: { authorization: `Bearer ${token}` } });
    expect(status.status).toBe(200);
    expect(await status.json()).toMatchObject({ births: '2000' });
    expect(await touched()).toMatchObject([{ relations: 0, schemas: 0, sessions: 0 }]);
    expect(statusOf({ home }).running).toBe(true);
    child.kill('SIGINT');
    expect((await done).exit).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    expect(statusOf({ home }).running).toBe(false);
  } finally {
    child.kill('SIGKILL');
    await other.close();
  }
}, 900_000);
