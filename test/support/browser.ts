/// <reference lib="dom" />
// The console in a real Chromium, signed in, against a server of GCOS. Each page notes what a page must not
// do: errors of scripts, violations of its policy, requests to another origin, failures of the server.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { checkout } from './cli.js';

/** How long the console may take for one step on a busy machine. */
const PATIENCE_MS = 120_000;

export interface Console {
  readonly browser: Browser;
  /** A page in a context of its own, signed in with this token. */
  signedIn(token: string, options?: PageOptions): Promise<ConsolePage>;
  /** A page without a session. */
  open(options?: PageOptions): Promise<ConsolePage>;
  close(): Promise<void>;
}

interface PageOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  /** Where the console is; default: at the server. */
  readonly url?: string;
}

export interface ConsolePage {
  readonly page: Page;
  /** What the page must not have done since it was opened. */
  readonly errors: readonly string[];
  /** Opens a screen, and waits until nothing on it is loading. */
  visit(path: string): Promise<void>;
  /** Waits until nothing on the screen is loading. */
  settled(): Promise<void>;
  /** Ends the page and its context. */
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);

/**
 * The Chromium of the package, unpacked once per machine. Several processes may need it at the same time:
 * each unpacks into a folder of its own, and the first gives it its name.
 */
async function executable(): Promise<string> {
  const about = join(dirname(require.resolve('@sparticuz/chromium')), '../../package.json');
  const { version } = JSON.parse(readFileSync(about, 'utf8')) as { version: string };
  const folder = join(tmpdir(), `gcos-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(folder)) {
    const own = mkdtempSync(join(tmpdir(), 'gcos-chromium-'));
    const { TMPDIR } = process.env;
    process.env['TMPDIR'] = own;
    try {
      await sparticuz.executablePath();
    } finally {
      if (TMPDIR === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = TMPDIR;
    }
    try {
      renameSync(own, folder);
    } catch (error) {
      rmSync(own, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return join(folder, 'chromium');
}

/** Notes in `errors` what the page must not do. */
function watch(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => void errors.push(String(error)));
  page.on('console', (message) => {
    // An answer of 400 and above is a state of a screen, which the tests look at.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) errors.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 500) errors.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    const here = new URL(page.url()).origin;
    const { origin, protocol } = new URL(request.url());
    const isLocal = protocol === 'data:' || protocol === 'blob:';
    if (!request.isNavigationRequest() && !isLocal && origin !== here)
      errors.push(`a request to another origin: ${request.url()}`);
  });
}

/**
 * Chromium for the server at `url`, which browsers reach as `publicUrl`, as behind a proxy. The console must
 * have been built.
 */
export async function openConsole(url: string, publicUrl = url): Promise<Console> {
  if (!existsSync(join(checkout, 'dist/console/index.html')))
    throw new Error('the console is not built: run `npm run build`');
  const browser = await chromium.launch({
    executablePath: await executable(),
    // One process for everything ends with its first page; and the rules of origins are tested, too.
    args: [
      ...sparticuz.args.filter((each) => !/^--(?:single-process|no-zygote|disable-web-security)$/.test(each)),
      `--host-resolver-rules=MAP ${new URL(publicUrl).host} ${new URL(url).host}`,
    ],
    timeout: PATIENCE_MS,
  });

  async function open({ theme = 'light', width = 1280, url: at = publicUrl }: PageOptions = {}) {
    const context: BrowserContext = await browser.newContext({
      colorScheme: theme,
      reducedMotion: 'reduce',
      viewport: { width, height: 900 },
      baseURL: at,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const errors: string[] = [];
    watch(page, errors);
    const settled = async () => {
      await page.waitForFunction(
        () =>
          document.querySelector('main h1, main form') !== null &&
          document.querySelector('.skeleton, [aria-busy="true"]') === null,
        undefined,
        { polling: 50 },
      );
    };
    return {
      page,
      errors,
      settled,
      async visit(path: string) {
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        await settled();
      },
      close: () => context.close(),
    };
  }

  return {
    browser,
    open,
    async signedIn(token, options) {
      const opened = await open(options);
      const server = options?.url ?? url;
      const answer = await opened.page.request.post(`${server}/api/v1/session`, { data: { token } });
      if (!answer.ok()) throw new Error(`the sign-in was refused: ${await answer.text()}`);
      return opened;
    },
    async close() {
      await browser.close();
    },
  };
}

const axe = require.resolve('axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong on the page, as text. */
export async function violationsOf(page: Page): Promise<string[]> {
  // The policy of the page forbids scripts that are put into it; the inspector may still evaluate one.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(readFileSync(axe, 'utf8'));
  return page.evaluate(async (tags) => {
    // biome-ignore lint/suspicious/noExplicitAny: the global of axe
    const { violations } = await (globalThis as any).axe.run(document, {
      runOnly: tags,
      resultTypes: ['violations'],
    });
    return violations.flatMap((each: { id: string; nodes: { html: string }[] }) =>
      each.nodes.map(({ html }) => `${each.id}: ${html.slice(0, 200)}`),
    );
  }, TAGS);
}

/** What axe finds wrong in each theme. */
export async function violationsInThemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await violationsOf(page)).map((each) => `${colorScheme}: ${each}`));
  }
  return found;
}

/** By how many pixels the page is wider than a window of this width. */
export async function overflowAt(page: Page, width: number): Promise<number> {
  const before = page.viewportSize();
  await page.setViewportSize({ width, height: 900 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (before !== null) await page.setViewportSize(before);
  return overflow;
}
