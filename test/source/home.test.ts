// A home: the host contract in a database that has no host, and its removal.
import { describe, expect, it } from 'vitest';
import { hostContract } from '../../src/host/index.js';
import { createEmpty, createSourceHome } from '../support/source-home.js';

describe('a database without a host', () => {
  it('is told what to do next by the doctor and by init', async () => {
    const empty = await createEmpty();
    try {
      const doctor = await empty.run('doctor');
      expect(doctor.exit).toBe(4);
      expect(doctor.stdout).toContain(
        'next: this database has no host. `gcos init --with host` makes it a home',
      );
      const init = await empty.run('init');
      expect(init.exit).toBe(4);
      expect(init.stderr).toContain('`gcos init --with host` makes it a home');
      expect(await empty.sql("select from pg_class where relname = 'birth_registry'")).toEqual([]);
    } finally {
      await empty.close();
    }
  });
});

describe('gcos init --with host', () => {
  it('creates the whole contract, which the doctor finds complete and which belongs to the role of sources', async () => {
    const home = await createSourceHome();
    try {
      const report = await home.json('doctor');
      const lines = report['lines'] as { section: string; subject: string; state: string }[];
      const tables = lines.filter((each) => each.section === 'table' && each.subject !== 'member registries');
      expect(tables.map((each) => `${each.subject} ${each.state}`).sort()).toEqual(
        hostContract.map((each) => `${each.name} ok`).sort(),
      );
      expect(lines.filter((each) => each.state === 'problem')).toEqual([]);
      const owners = await home.sql(
        `select distinct pg_get_userbyid(c.relowner)::text as owner from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relname in ('${hostContract.map((each) => each.name).join("', '")}')`,
      );
      expect(owners).toEqual([{ owner: 'gcos_source' }]);
      const again = await home.json('init', '--with', 'host');
      expect(again).toMatchObject({ outcome: 'present' });
    } finally {
      await home.close();
    }
  });

  it('leaves the tables of the host at uninstall, and nothing with --purge', async () => {
    const home = await createEmpty();
    try {
      const before = await home.run('schema', 'dump');
      await home.json('init', '--with', 'host');
      await home.json(
        'source',
        'add',
        'shop',
        'file',
        home.write('a.csv', 'id\na\nb\n'),
        '--class',
        'asset',
        '--code',
        'id',
      );
      await home.json('source', 'sync');
      expect((await home.run('uninstall', '--yes')).exit).toBe(0);
      expect(await home.sql('select code, status from shop_asset order by code')).toEqual([
        { code: 'a', status: 'active' },
        { code: 'b', status: 'active' },
      ]);
      expect(
        await home.sql(
          `select c.relname from pg_class c cross join lateral aclexplode(c.relacl) as x join pg_roles r on r.oid = x.grantee
           where r.rolname like 'gcos\\_%' and r.rolname <> 'gcos_source' and c.relnamespace = 'public'::regnamespace`,
        ),
      ).toEqual([]);
      // The kept host is a home again.
      await home.json('init');
      expect(await home.json('source', 'sync', 'shop')).toMatchObject({
        syncs: [{ objects: 2, changed: false }],
      });
      expect((await home.run('uninstall', '--yes', '--purge')).exit).toBe(0);
      expect((await home.run('schema', 'dump')).stdout).toBe(before.stdout);
    } finally {
      await home.close();
    }
  });

  it('writes the file that a DBA applies, with its exact reverse', async () => {
    const home = await createEmpty();
    try {
      const before = await home.run('schema', 'dump');
      const { forward, reverse } = (await home.json(
        'init',
        '--with',
        'host',
        '--dry-run',
        '--output',
        '-',
      )) as {
        forward: string;
        reverse: string;
      };
      expect((await home.run('schema', 'dump')).stdout).toBe(before.stdout);
      const sqlOf = (text: string) => text.replace(/^\\set.*$/gm, '');
      await home.sql(sqlOf(forward));
      expect(await home.json('init', '--with', 'host')).toMatchObject({ outcome: 'adopted' });
      await home.sql(sqlOf(reverse));
      expect((await home.run('schema', 'dump')).stdout).toBe(before.stdout);
    } finally {
      await home.close();
    }
  });
});
