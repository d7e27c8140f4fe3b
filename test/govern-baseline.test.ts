// A legacy estate: `gcos govern --baseline` accepts what is lacking today, and from then on only what is new
// blocks a pipeline. The list in gcos.yaml can only shrink, or be renewed on purpose.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { asHost, createDatabase, type TestDatabase } from './support/database.js';
import { runHere } from './support/in-process.js';
import { startServer, type TestServer } from './support/server.js';

let server: TestServer;
let shop: TestDatabase;
let folder: string;

beforeAll(async () => {
  server = await startServer();
  shop = await createDatabase({ serverUrl: server.url });
  folder = mkdtempSync(join(tmpdir(), 'gcos-baseline-'));
  await asHost(
    shop.url,
    `create table orders (id bigint primary key); create table customers (id bigint primary key);
     create function pay() returns integer language sql security definer as 'select 1';
     revoke execute on function pay() from public`,
  );
  writeFileSync(
    join(folder, 'gcos.yaml'),
    `# kept by hand\nversion: 1\nowners:\n  - match: public\n    class: schema\n    owner: team-shop\nkits:\n  postgres-baseline:\n    profiles: { role: { links: {} } }\n`,
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await shop.close();
  await server.stop();
});

const file = () => join(folder, 'gcos.yaml');
const run = (...args: string[]) =>
  runHere(['govern', 'env:SHOP_URL', '--name', 'shop', '--config', file(), ...args], {
    SHOP_URL: shop.url,
    GCOS_HOME: join(folder, 'home'),
    DATABASE_URL: undefined,
  });
const json = async (...args: string[]) => {
  const { exit, stdout, stderr } = await run(...args, '--json');
  return { exit, stderr, report: JSON.parse(stdout) };
};
const listed = () => {
  const { baseline } = parse(readFileSync(file(), 'utf8')) as {
    baseline: { until: string; gaps: { code: string }[]; findings: { code: string; detector: string }[] };
  };
  return {
    until: baseline.until,
    gaps: baseline.gaps.map((each) => each.code).sort(),
    findings: baseline.findings.map((each) => each.detector),
  };
};

// One history: each test goes on where the one before it ended.
describe('gcos govern --baseline', { shuffle: false }, () => {
  it('accepts what is lacking today with one request, and lists it in gcos.yaml', async () => {
    const { exit, report, stderr } = await json('--baseline');
    expect(exit, stderr).toBe(0);
    const { until, gaps, findings } = listed();
    expect(gaps).toEqual(['public.customers', 'public.orders', 'public.pay()']);
    expect(findings).toEqual(['postgres-baseline:definer_search_path']);
    const days = (Date.parse(until) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(87);
    expect(days).toBeLessThan(90);
    expect(report.estate.gaps).toEqual([]);
    expect(report.ledger.scopes.find((each: { scope: string }) => each.scope === 'ownership')).toMatchObject({
      exceptions: 3,
      orphans: 0,
      closes: true,
    });
    expect(readFileSync(file(), 'utf8')).toMatch(/^# kept by hand\nversion: 1\n/);
    const requests = await runHere(['request', 'list', '--json'], {
      GCOS_HOME: join(folder, 'home'),
      DATABASE_URL: undefined,
    });
    expect(
      (JSON.parse(requests.stdout).requests as { action: string; status: string }[]).filter(
        (each) => each.action === 'gcos.exception.grant',
      ),
    ).toMatchObject([{ status: 'approved' }]);
  });

  it('blocks nothing of it in a pipeline, and reports it as accepted', async () => {
    const { exit, stdout, stderr } = await run('--check', '--format', 'sarif');
    expect(exit, stdout + stderr).toBe(0);
    const { results } = JSON.parse(stdout).runs[0] as {
      results: { ruleId: string; suppressions: { status: string; justification: string }[] }[];
    };
    const accepted = results.filter((each) => each.suppressions.length > 0);
    expect(accepted.map((each) => each.ruleId).sort()).toEqual([
      'orphan',
      'orphan',
      'orphan',
      'postgres-baseline:definer_search_path',
    ]);
    expect(accepted[0]?.suppressions[0]).toMatchObject({
      status: 'accepted',
      justification: expect.stringContaining('gcos.yaml: was there when this estate was first governed'),
    });
  });

  it('blocks what is new: a table without an owner, a definer function without a pinned search path', async () => {
    await asHost(
      shop.url,
      `create table invoices (id bigint primary key); comment on table orders is '@owner team-shop';
       create function refund() returns integer language sql security definer as 'select 1';
       revoke execute on function refund() from public; comment on function refund() is '@owner team-shop'`,
    );
    const { exit, report } = await json('--check');
    expect(exit).toBe(2);
    expect(report.blocked).toMatchObject([
      { code: 'public.invoices', statement: `COMMENT ON TABLE public.invoices IS '@owner team-shop';` },
      {
        code: 'public.refund()',
        reasons: [{ code: 'postgres-baseline:definer_search_path' }],
        statement: expect.stringMatching(/^ALTER ROUTINE public\.refund\(\) SET search_path/),
      },
    ]);
    expect(report.accepted.map((each: { code: string }) => each.code)).toEqual([
      'public.pay()',
      'public.customers',
      'public.pay()',
    ]);
  });

  it('shrinks when it is asked for again, and is renewed only on purpose', async () => {
    const before = listed();
    const again = await json('--baseline');
    expect([again.exit, again.report.baseline.left]).toEqual([0, 2]);
    expect(listed()).toEqual({ ...before, gaps: ['public.customers', 'public.pay()'] });
    const renewed = await json('--baseline', '--renew');
    expect([renewed.exit, renewed.report.baseline.left]).toEqual([0, 0]);
    expect(listed().gaps).toEqual(['public.customers', 'public.invoices', 'public.pay()']);
    expect(renewed.report.estate.gaps).toEqual([]);
  });

  it('refuses an end that is more than 90 days away', async () => {
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(/until: .*/, 'until: 2099-01-01'));
    const { exit, stderr } = await run('--check');
    expect([exit, stderr]).toEqual([3, expect.stringContaining('baseline_too_long')]);
  });
});
