// Scans and syncs that a person orders over HTTP: the request records the order, a worker does the work, and
// the order shows what became of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer, TOKEN_PERSON } from '../support/http.js';
import { openAt } from '../support/open.js';
import { createSourceHome, type SourceHome } from '../support/source-home.js';
import { workOnce } from '../support/working.js';

const order = (server: TestServer, path: string, body: unknown = {}) =>
  server.call(`/api/v1${path}`, { as: 'operate', body });

describe('a scan that is ordered', () => {
  let estate: Estate;
  let server: TestServer;
  beforeAll(async () => {
    estate = await createEstate('scanned');
    server = await startServer(estate);
  });
  afterAll(async () => {
    await server?.close();
    await estate?.close();
  });

  it.each(['incremental', 'full'])('%s: waits for a worker, once, and then names its run', async (mode) => {
    const { status, json: ordered } = await order(server, '/scans', { mode });
    expect(status).toBe(202);
    expect(ordered).toMatchObject({
      ...{ kind: 'scan', subject: mode, status: 'waiting', run: null, created: true },
      ordered_by: TOKEN_PERSON,
    });
    const again = await order(server, '/scans', { mode });
    expect([again.status, again.json.id, again.json.created]).toEqual([202, ordered.id, false]);
    await workOnce(estate.gcos);
    const { json: done } = await server.call(ordered.href);
    expect(done).toMatchObject({ id: ordered.id, status: 'completed', error: null });
    const run = await server.call(done.run);
    expect(run.json).toMatchObject({ run_id: done.run_id, kind: 'scan', mode, status: 'completed' });
    expect(run.json.started_at >= ordered.ordered_at).toBe(true);
    const next = await order(server, '/scans', { mode });
    expect([next.json.created, next.json.status]).toEqual([true, 'waiting']);
    await workOnce(estate.gcos);
  });

  it('is listed, audited, and no scan that was begun before answers it', async () => {
    await estate.gcos.scans.run({ mode: 'incremental' });
    const { json: ordered } = await order(server, '/scans');
    const { json } = await server.call('/api/v1/work-orders?status=waiting');
    expect(json.orders).toMatchObject([{ id: ordered.id, subject: 'incremental', run: null }]);
    const audit = await asHost(
      estate.url,
      `select changed_by, alert_detail::jsonb as detail from registry_changelog
       where entity_type = 'governance_worker' and action = 'order' and entity_code = '${ordered.id}'`,
    );
    expect(audit).toEqual([
      {
        changed_by: expect.stringMatching(`^gcos:token:[0-9a-f]{12} for ${TOKEN_PERSON}$`),
        detail: { kind: 'scan', subject: 'incremental' },
      },
    ]);
    // For the other tests, which begin without one.
    await workOnce(estate.gcos);
  });

  it('is refused without a person, in another mode, and where there is nothing to scan', async () => {
    const other = await order(server, '/scans', { mode: 'event' });
    expect([other.status, other.json.code]).toEqual([400, 'request_malformed']);
    const missing = await order(server, '/sources/nope/sync');
    expect([missing.status, missing.json.code]).toEqual([404, 'source_unknown']);
    await expect(server.call('/api/v1/work-orders/999999')).resolves.toMatchObject({ status: 404 });
    await expect(server.call('/api/v1/runs/scan-nope')).resolves.toMatchObject({ status: 404 });
    const [refused] = await asHost(
      urlAs(estate.url, 'api'),
      `select outcome from gcos_order_work('scan', 'full')`,
    );
    expect(refused).toEqual({ outcome: 'login_unknown' });
    await expect(
      asHost(urlAs(estate.url, 'worker'), `select gcos_order_work('scan', 'full')`),
    ).rejects.toMatchObject({ code: '42501' });
    const empty = await createEstate('installed');
    const early = await startServer(empty);
    const answer = await order(early, '/scans');
    expect([answer.status, answer.json.code]).toEqual([409, 'scan_before_backfill']);
    await early.close();
    await empty.close();
  });
});

describe('a sync that is ordered', () => {
  let home: SourceHome;
  let server: TestServer;
  let gcos: Estate['gcos'];
  beforeAll(async () => {
    home = await createSourceHome();
    const list = home.write('assets.csv', 'code,team\nA-1,x\nA-2,y\n');
    await home.json('source', 'add', 'assets', 'file', list, '--class', 'asset', '--code', 'code');
    gcos = await openAt(home.url);
    server = await startServer({ gcos, url: home.url });
  });
  afterAll(async () => {
    await server?.close();
    await gcos?.close();
    await home?.close();
  });
  const source = async () => (await server.call('/api/v1/sources')).json.sources[0];

  it('is done by a worker, also when the source is not due, and shows why it failed', async () => {
    await workOnce(gcos);
    expect(await source()).toMatchObject({ objects: '2' });
    home.write('assets.csv', 'code,team\nA-1,x\nA-2,y\nA-3,z\n');
    await workOnce(gcos);
    expect(await source()).toMatchObject({ objects: '2' });
    const { status, json: ordered } = await order(server, '/sources/assets/sync');
    expect([status, ordered.status, ordered.created]).toEqual([202, 'waiting', true]);
    expect((await order(server, '/sources/assets/sync')).json).toMatchObject({
      id: ordered.id,
      created: false,
    });
    await workOnce(gcos);
    expect(await source()).toMatchObject({ objects: '3' });
    expect((await server.call(ordered.href)).json).toMatchObject({ status: 'completed', run: null });

    home.write('assets.csv', 'nothing\nthat fits\n');
    const { json: second } = await order(server, '/sources/assets/sync');
    await workOnce(gcos);
    expect((await server.call(second.href)).json).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^source_/),
    });
    expect((await server.call(ordered.href)).json).toMatchObject({ status: 'completed' });
  });
});
