// Every count that the API returns is the length of the list that it links to, also while a worker writes.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { crawl } from '../support/crawl.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';

let estate: Estate;
let server: TestServer;
beforeAll(async () => {
  estate = await createEstate('scanned');
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
});
afterAll(async () => {
  await server?.close();
  await estate?.close();
});

it('every count is the length of its list, while births are taken in and scanned', async () => {
  const crawling = new AbortController();
  const writing = (async () => {
    for (let round = 0; !crawling.signal.aborted; round += 1) {
      await asHost(
        estate.url,
        `insert into birth_registry (entity_code, collection_name, species_code, born_at)
          select 'CRAWL-${round}-' || n, c.name, null, now() from generate_series(1, 20) n, (values ('articles'), ('dot_tools')) c(name)`,
      );
      await estate.gcos.intakes.once();
      await estate.gcos.scans.run({ mode: 'incremental' });
    }
    return undefined;
  })();
  const crawled = await crawl({ url: server.url, token: server.tokens.read }).finally(() => crawling.abort());
  await writing;
  const { counts, lines, resources, readAgain } = crawled;
  console.log(
    `${counts} counts and ${lines} lines of ${resources} resources followed, ${readAgain} read again`,
  );
  expect(crawled.differences).toEqual([]);
  expect(counts).toBeGreaterThan(300);
});
