// Takes the pictures of the console for the documentation: each screen in both themes, wide and narrow.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Console, openConsole } from '../test/support/browser.js';
import { checkout } from '../test/support/cli.js';
import { startServer, type TestServer } from '../test/support/http.js';
import { openEstate, type PicturedEstate } from './estate.js';
import { withPalette } from './palette.js';
import { type Picture, picturesOf, type Shown } from './screens.js';
import { VIEWER } from './viewer.js';

const FOLDER = join(checkout, 'docs/pictures');
const WIDTHS = [1440, 390];
const THEMES = ['light', 'dark'] as const;
/** A long list ends below the picture. */
const HIGHEST = 1_800;
const LARGEST_BYTES = 6_000_000;

/** What a person would open: the first of each kind that has something to show. */
async function thingsToShow(): Promise<Shown> {
  const list = async (path: string, name: string) => (await server.call(`/api/v1${path}`)).json[name];
  const requests = await list('/requests?status=pending', 'requests');
  const requestOf = (action: string): string =>
    requests.find((each: { readonly action: string }) => each.action === action).code;
  return {
    group: (await list('/groups?collection=orders&limit=1', 'groups'))[0].inventory_key,
    finding: (await list('/findings?limit=1', 'findings'))[0].code,
    decision: (await list('/gate/decisions?answer=block&limit=1', 'decisions'))[0].id,
    exception: (await list('/exceptions?status=in_force&limit=1', 'exceptions'))[0].code,
    pass: (await list('/gate/break-glass?limit=100', 'passes')).at(-1).code,
    requests: {
      exception: requestOf('gcos.exception.grant'),
      rules: requestOf('gcos.ruleset.activate'),
    },
  };
}

let pictured: PicturedEstate;
let server: TestServer;
let web: Console;
let token: string;
let pictures: readonly Picture[];
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  pictured = await openEstate();
  const { estate } = pictured;
  server = await startServer(estate, { limits: { perSecond: 10_000 } });
  const made = await estate.gcos.tokens.create({
    name: 'browser',
    person: VIEWER,
    permissions: ['read', 'gate', 'decide', 'operate'],
  });
  token = made.token;
  web = await openConsole(server.url);
  pictures = picturesOf(await thingsToShow());
});
afterAll(async () => {
  await web?.close();
  await server?.close();
  await pictured?.close();
});

describe.each(WIDTHS)('%i pixels wide', (width) => {
  it.each(THEMES)('%s', async (theme) => {
    const { page, errors, visit, settled } = await web.signedIn(token, { theme, width });
    for (const { name, path, act } of pictures) {
      await visit(path);
      await act?.(page);
      await settled();
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      await page.setViewportSize({ width, height: Math.min(Math.max(height, 900), HIGHEST) });
      await settled();
      writeFileSync(join(FOLDER, `${name}-${width}-${theme}.png`), withPalette(await page.screenshot()));
      await page.setViewportSize({ width, height: 900 });
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

it('are small enough to keep', () => {
  const bytes = readdirSync(FOLDER).reduce((sum, file) => sum + statSync(join(FOLDER, file)).size, 0);
  console.log(`${readdirSync(FOLDER).length} pictures, ${(bytes / 1_000_000).toFixed(1)} MB`);
  expect(bytes).toBeLessThan(LARGEST_BYTES);
});
