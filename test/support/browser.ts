/// <reference lib="dom" />
// The console in a real Chromium, signed in, against a server of GCOS.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { checkout } from './cli.js';

/** How long the console may take for one step on a busy machine. */
const PATIENCE_MS = 30_000;

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
}

export interface ConsolePage {
  readonly page: Page;
  /** Errors of scripts and refused resources since the page was opened. */
  readonly errors: readonly string[];
  /** Opens a screen, and waits until nothing on it is loading. */
  visit(path: string): Promise<void>;
  /** Waits until nothing on the screen is loading. */
  settled(): Promise<void>;
}

/** Chromium for the server at `url`. The console must have been built. */
export async function openConsole(url: string): Promise<Console> {
  if (!existsSync(join(checkout, 'dist/console/index.html')))
    throw new Error('the console is not built: run `npm run build`');
  const browser = await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    // One process for everything ends with its first page; and the rules of origins are tested, too.
    args: sparticuz.args.filter(
      (each) => !/^--(?:single-process|no-zygote|disable-web-security)$/.test(each),
    ),
  });

  async function open({ theme = 'light', width = 1280 }: PageOptions = {}): Promise<ConsolePage> {
    const context: BrowserContext = await browser.newContext({
      colorScheme: theme,
      reducedMotion: 'reduce',
      viewport: { width, height: 900 },
      baseURL: url,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => void errors.push(String(error)));
    page.on('console', (message) => {
      // An answer of 400 and above is a state of a screen, which the tests look at.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) errors.push(message.text());
    });
    const settled = async () => {
      await page.waitForSelector('main h1, main form');
      await page.waitForFunction(
        () => document.querySelector('.skeleton, [aria-busy="true"]') === null,
        undefined,
        { polling: 50 },
      );
    };
    return {
      page,
      errors,
      settled,
      async visit(path) {
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        await settled();
      },
    };
  }

  return {
    browser,
    open,
    async signedIn(token, options) {
      const opened = await open(options);
      const answer = await opened.page.request.post('/api/v1/session', { data: { token } });
      if (!answer.ok()) throw new Error(`the sign-in was refused: ${await answer.text()}`);
      return opened;
    },
    async close() {
      await browser.close();
    },
  };
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds wrong on the page, as text. */
export async function violationsOf(page: Page): Promise<string[]> {
  // The policy of the page forbids scripts that are put into it; the inspector may still evaluate one.
  await page.evaluate(readFileSync(axe, 'utf8'));
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the global of axe
    const { violations } = await (globalThis as any).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap((each: { id: string; nodes: { html: string }[] }) =>
      each.nodes.map(({ html }) => `${each.id}: ${html.slice(0, 200)}`),
    );
  });
}
