// Every list of the API, from the routes themselves: an unknown filter, and a value that does not exist, are
// refused. An empty list says that there is nothing, and never that a name was mistyped.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

let estate: Estate;
let server: TestServer;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 100_000 } });
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

/** Below /api/v1, with a name that exists where the address has one. */
const addressOf = (path: string) =>
  `/api/v1${path.replace('{recipient}', 'council').replace('{collection}', 'dot_tools').replace('{code}', 'DOT-117')}`;
const lists = () =>
  server.routes.filter(
    ({ kind, permission, query }) => kind === 'read' && permission === 'read' && query !== undefined,
  );
const PLACES = ['limit', 'after', 'as_of'];

it('refuses a filter that it does not know, also on routes without any', async () => {
  for (const { kind, permission, path } of server.routes)
    if (kind === 'read' && permission === 'read') {
      const { status, json } = await server.call(`${addressOf(path)}?nope=1`);
      expect([path, status, json?.code]).toEqual([path, 400, 'request_malformed']);
    }
});

it('refuses a value that does not exist', async () => {
  const tried: string[] = [];
  for (const { path, query } of lists())
    for (const name of Object.keys(query?.shape ?? {})) {
      // Objects that nothing knows stay answers: see decision 48.
      if (PLACES.includes(name) || name === 'code') continue;
      const { status, text } = await server.call(`${addressOf(path)}?${name}=no-such-value`);
      expect([path, name, status === 404 ? 400 : status], text).toEqual([path, name, 400]);
      tried.push(`${path} ${name}`);
    }
  expect(tried.length).toBeGreaterThan(30);
});

it('refuses a place and a size that it did not give', async () => {
  for (const { path, query } of lists())
    for (const [name, values] of Object.entries({
      limit: ['0', '-1', '1001', '1e3', '0x10', ' 5', ''],
      after: ['nope', '%00', '9'.repeat(5_000), 'eyJhIjoxfQ', '-1', '1.0.1'],
      as_of: ['now', 'v1~2027-01-01T00:00:00Z~00000003-1~x', '%27;select', '9'.repeat(400)],
    }))
      if (query?.shape[name] !== undefined)
        for (const value of values) {
          const { status, text } = await server.call(`${addressOf(path)}?${name}=${value}`);
          expect([path, name, value, status], text).toEqual([path, name, value, 400]);
        }
});
