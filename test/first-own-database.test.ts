// docs/first-own-database.md is true: every step of it runs in order, on a database that the steps create,
// and prints what the page shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkout } from './support/cli.js';
import { runSteps, stepsOf } from './support/console.js';
import { startServer, type TestServer } from './support/server.js';
import { createShop, type Shop } from './support/shop.js';

const PAGE = 'docs/first-own-database.md';
const [schema = '', ...statements] = [
  ...readFileSync(join(checkout, PAGE), 'utf8').matchAll(/```sql\n([\s\S]*?)```/g),
].map(([, text = '']) => text.trim());

let server: TestServer;
let home: TestServer;
let shop: Shop;
beforeAll(async () => {
  [server, home] = await Promise.all([startServer(), startServer()]);
  shop = await createShop('', { serverUrl: server.url, schema });
});
afterAll(async () => {
  await shop?.close();
  await Promise.all([server?.stop(), home?.stop()]);
});

it('prints what the page shows', async () => {
  const steps = stepsOf(PAGE);
  expect(steps.filter(({ kind }) => kind === 'sql').map(({ text }) => text)).toEqual(statements);
  await runSteps(steps, shop.url, {
    SHOP_URL: shop.readerUrl,
    GCOS_HOME: home.home,
    DATABASE_URL: undefined,
  });
}, 300_000);
