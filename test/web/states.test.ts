// The bad states of the console, in Chromium: each says what it is, has a look of its own, and none looks
// good.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Console,
  openConsole,
  overflowAt,
  violationsInThemes,
  violationsOf,
} from '../support/browser.js';
import { driftRules, fullToken, HOSTILE } from '../support/console-estate.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer, TOKEN_PERSON } from '../support/http.js';
import { close as closeLedger } from '../support/judged.js';
import { until } from '../support/wait.js';

const MEMBERS = 400_000;

let estate: Estate;
let server: TestServer;
let web: Console;
let token: string;
const host = (text: string) => asHost(estate.url, text);
beforeAll(async () => {
  estate = await createEstate('scanned');
  await host(
    `insert into birth_registry (entity_code, collection_name, species_code, born_at)
     select '${HOSTILE}', 'dot_tools', species_code, now() from birth_registry where collection_name = 'dot_tools' limit 1`,
  );
  await estate.gcos.intakes.once();
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
  token = await fullToken(estate);
  web = await openConsole(server.url);
});
afterAll(async () => {
  await web?.close();
  await server?.close();
  await estate?.close();
});

describe('sign-in', () => {
  it('is asked for at every address, refuses what is no token, and leads to the screen that was asked for', async () => {
    const { page, errors, visit, close } = await web.open();
    await visit('/ledger');
    await page.getByLabel('Access token').fill('gcos_000000000000_none');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/ledger');
    expect(errors).toEqual([]);
    await close();
  });
});

describe('nothing', () => {
  it('taken in yet: each screen says that nothing is known, and none looks good', async () => {
    const empty = await createEstate('installed');
    const own = await startServer(empty);
    try {
      const { page, errors, visit, close } = await web.signedIn(own.tokens.read, { url: own.url });
      for (const path of [
        '/',
        '/ledger',
        '/findings',
        '/findings?view=fixes',
        '/groups',
        '/rules',
        '/exceptions',
      ]) {
        await visit(path);
        expect(await page.locator('main .bg-good-soft').count(), path).toBe(0);
        expect(await violationsOf(page), path).toEqual([]);
        expect(await overflowAt(page, 360), path).toBeLessThanOrEqual(1);
      }
      await visit('/ledger');
      await page.getByText('No run has closed a ledger yet').first().waitFor();
      expect(errors).toEqual([]);
      await close();
    } finally {
      await own.close();
      await empty.close();
    }
  });

  it('of that name: it is said, and is no failure', async () => {
    const { page, visit, close } = await web.signedIn(token);
    await visit(`/objects/${encodeURIComponent('no/such')}/${encodeURIComponent(HOSTILE)}`);
    await page.getByText('There is no such object').waitFor();
    await visit('/groups/none');
    await page.getByText('There is no such group').waitFor();
    await visit('/no/such/screen');
    await page.getByText('There is no such page').waitFor();
    await visit('/ledger/units?scope=none');
    await page.getByRole('alert').getByText('there is no scope').waitFor();
    for (const path of [
      '/requests/APR-0',
      '/exceptions/GEX-0',
      '/findings/none',
      '/rules/gov-rs-0',
      '/gate/passes/GBG-0',
    ]) {
      await visit(path);
      await page
        .getByRole('main')
        .getByText(/there is no|no finding has the code/)
        .waitFor();
      // Loading it again would not help, and there is nothing to act on.
      expect(
        await page
          .getByRole('main')
          .getByRole('button', { name: /Load again|Approve/ })
          .count(),
      ).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    await close();
  });
});

describe('a name', () => {
  it('with markup and of another direction is shown as it is', async () => {
    const { page, errors, visit, close } = await web.signedIn(token);
    await visit(`/objects/dot_tools/${encodeURIComponent(HOSTILE)}`);
    const name = page.locator('main h2 bdi', { hasText: 'onerror' });
    expect(await name.textContent()).toBe(HOSTILE);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});

describe('a moment', () => {
  it('that is over is said, and the list of now is shown on request', async () => {
    const { page, visit, close } = await web.signedIn(token);
    const { json } = await server.call('/api/v1/ledger');
    // The name of a snapshot that no transaction keeps.
    const text = Buffer.from(json.as_of, 'base64url')
      .toString()
      .replace(/~[0-9A-F]{8}-/, '~FFFFFFF0-');
    await visit(`/ledger/units?term=orphans&as_of=${Buffer.from(text).toString('base64url')}`);
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.waitForSelector('[data-list][data-ready="true"]');
    expect(page.url()).not.toContain('as_of');
    await close();
  });
});

describe('a token', () => {
  it('that may not ask the gate is told so beside the verdicts', async () => {
    const { page, visit, close } = await web.signedIn(server.tokens.read);
    await visit('/objects/dot_tools/DOT-117');
    await page.getByText('lacks the permission').waitFor();
    expect(await page.getByRole('button', { name: 'Ask the gate' }).count()).toBe(0);
    await close();
  });

  it('of one scope is told at the sign-in that it is limited too much', async () => {
    const { token: limited } = await estate.gcos.tokens.create({
      ...{ name: 'one scope', permissions: ['read'], person: TOKEN_PERSON, scopes: ['approval'] },
    });
    const { page, visit, close } = await web.open();
    await visit('/ledger?scope=approval');
    await page.getByLabel('Access token').fill(limited);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('is limited to other scopes or owners').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await close();
  });
});

describe('a group', () => {
  it(`of ${MEMBERS.toLocaleString('en-US')} members is counted, and its list can be read to its end`, async () => {
    const { json } = await server.call('/api/v1/objects?collection=articles&limit=1');
    const [{ code, inventory_key: group }] = json.objects;
    await host(
      `set session_replication_role = replica;
       insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
       select 'MANY-' || n, b.collection_name, b.species_code, b.composition_level, b.dot_origin, b.governance_role, b.status
       from generate_series(1, ${MEMBERS}) as n,
         (select * from birth_registry where collection_name = 'articles' and entity_code = '${code}') as b`,
    );
    const { page, errors, visit, close } = await web.signedIn(token);
    await visit(`/groups/${group}`);
    const count = page.locator('a.count[aria-label$=" members"]');
    expect(Number((await count.textContent())?.replaceAll(',', ''))).toBeGreaterThanOrEqual(MEMBERS);
    await count.click();
    await page.waitForSelector('[data-list][data-ready="true"]');
    const rows = () => page.$eval('[data-list]', (list) => Number((list as HTMLElement).dataset['rows']));
    const first = await rows();
    // The end of what is loaded loads more, while the page keeps only the rows that are visible.
    await page.getByRole('region', { name: 'Objects' }).locator('tbody tr[tabindex="0"]').press('End');
    await until('more rows are loaded', async () => (await rows()) > first);
    expect(await page.locator('main tbody tr[data-index]').count()).toBeLessThan(100);
    expect(errors).toEqual([]);
    await close();
  });
});

describe('a ledger', () => {
  it('that does not close says so', async () => {
    await host(
      `delete from governance_candidate_state where row_id = (select c.row_id from governance_candidate_state c
         join governance_inventory i using (inventory_key)
         where i.source_registry = 'orders' and c.scope = 'audit' and c.row_state = 'active' limit 1)`,
    );
    expect((await closeLedger(estate, 'does-not-close')).ledger.closes).toBe(false);
    const { page, errors, visit, close } = await web.signedIn(token);
    await until('the ledger of now is shown', async () => {
      await visit('/ledger');
      return page.getByText('A later run counted and did not close').isVisible();
    });
    await page
      .getByRole('row', { name: /does-not-close|no/ })
      .first()
      .waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});

describe('rules', () => {
  it('whose tables were edited say that they differ from those in force', async () => {
    await driftRules(estate.url);
    const { page, errors, visit, close } = await web.signedIn(token);
    await until('the overview knows', async () => {
      await visit('/');
      return page.getByText('The rules in the tables are not the rules in force').isVisible();
    });
    await page.getByRole('link', { name: 'See the rules' }).click();
    await page.getByText('The tables differ from the rules in force: 1 change').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
