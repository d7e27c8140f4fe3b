// A home of one person: what concerns risk write_high needs another one. `gcos govern` reports with the rules
// in force, says what waits, opens nothing twice, and goes on once the other person has approved.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost, createDatabase, type TestDatabase } from './support/database.js';
import { runHere } from './support/in-process.js';
import { startServer, type TestServer } from './support/server.js';

let server: TestServer;
let shop: TestDatabase;
let home: TestDatabase;
let folder: string;
let otherUrl: string;

beforeAll(async () => {
  server = await startServer();
  [shop, home] = await Promise.all([
    createDatabase({ serverUrl: server.url }),
    createDatabase({ serverUrl: server.url }),
  ]);
  folder = mkdtempSync(join(tmpdir(), 'gcos-waiting-'));
  await asHost(
    shop.url,
    `create table orders (id bigint primary key); create view totals as select count(*) from orders`,
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([shop.close(), home.close()]);
  await server.stop();
});

const file = () => join(folder, 'gcos.yaml');
const writeFile = (profiles: string) =>
  writeFileSync(
    file(),
    `version: 1\nkits:\n  postgres-baseline:\n    profiles: { role: { links: {} }${profiles} }\n`,
  );
const here = (args: readonly string[], url = home.url) =>
  runHere(args, { SHOP_URL: shop.url, GCOS_HOME: join(folder, 'none'), DATABASE_URL: url });
const govern = (...args: string[]) =>
  here(['govern', 'env:SHOP_URL', '--home', home.url, '--name', 'shop', '--config', file(), ...args]);
const json = async (...args: string[]) => {
  const { exit, stdout, stderr } = await govern(...args, '--json');
  return { exit, stderr, report: JSON.parse(stdout) };
};
const pending = async (): Promise<readonly string[]> =>
  (
    JSON.parse((await here(['request', 'list', '--json'])).stdout).requests as {
      code: string;
      status: string;
    }[]
  ).flatMap((each) => (each.status === 'pending' ? [each.code] : []));
const approve = async (code: string) => {
  const { exit, stderr } = await here(['request', 'approve', code], otherUrl);
  expect(exit, stderr).toBe(0);
};

// One history: each test goes on where the one before it ended.
describe('gcos govern in a home of one person', { shuffle: false }, () => {
  it('reports with the rules in force when a change of rules needs another person', async () => {
    writeFile('');
    const first = await json();
    expect(first.exit, first.stderr).toBe(0);
    writeFile(', table: { risk: write_high }');
    await asHost(shop.url, 'create table invoices (id bigint primary key)');
    const { exit, stdout, stderr } = await govern();
    expect(exit, stdout + stderr).toBe(2);
    const [code] = await pending();
    expect(stdout).toMatch(/^shop: 2 tables, /);
    expect(stdout).toMatch(/ledger closes in 4 scopes; verified 100 %/);
    expect(stdout).toContain(`until then ${first.report.ruleset.version} stays in force`);
    expect(stdout).toMatch(
      new RegExp(`waits: ${code}, .*missing: one approval, by any person who may decide, other than `),
    );
    expect(stdout).toContain(`\`gcos request approve ${code}\``);
  });

  it('asks once for the same change, and withdraws what would no longer be activated', async () => {
    const before = await pending();
    const again = await json();
    expect(again).toMatchObject({
      exit: 2,
      report: {
        scan: { changed: 0 },
        ruleset: { activated: false, waits: { request: { code: before[0] } } },
      },
    });
    expect(await pending()).toEqual(before);
    // Another change of rules is another request.
    writeFile(', table: { risk: write_high, ttl: P3D }');
    expect((await json()).exit).toBe(2);
    const after = await pending();
    expect([after.length, after[0] === before[0]]).toEqual([1, false]);
  });

  it('puts them into force once another person has approved', async () => {
    await asHost(home.url, `create role other_${process.pid} login password 'other' in role gcos_api`);
    const url = new URL(home.url);
    url.username = `other_${process.pid}`;
    url.password = 'other';
    otherUrl = url.href;
    const added = await here(['person', 'add', 'other', '--login', `other_${process.pid}`]);
    expect(added.exit, added.stderr).toBe(0);
    const [code = ''] = await pending();
    await approve(code);
    const { exit, report, stderr } = await json();
    expect(exit, stderr).toBe(0);
    expect(report.ruleset).toMatchObject({ activated: true, waits: null });
    expect(stderr).toContain(`is in force by ${code}\n`);
    expect(await pending()).toEqual([]);
  });

  it('accepts what it may of a baseline, and says which request waits for the rest', async () => {
    const { exit, report, stderr } = await json('--baseline');
    expect(exit, stderr).toBe(2);
    const codes = await pending();
    expect(report.waiting).toMatchObject([{ code: codes[0], action: 'gcos.exception.grant' }]);
    expect(report.estate.gaps.map((each: { code: string }) => each.code).sort()).toEqual([
      'public.invoices',
      'public.orders',
    ]);
    await approve(codes[0] ?? '');
    const after = await json();
    expect([after.exit, after.report.estate.gaps, await pending()]).toEqual([0, [], []]);
  });

  it('blocks such an object in a pipeline, and goes on', async () => {
    const { exit, stdout, stderr } = await govern('--check');
    expect(exit, stderr).toBe(2);
    expect(stderr).toContain('self-approved exceptions never hold for risk write_high');
    expect(stdout).toMatch(/the gate blocks 2 of /);
  });
});
