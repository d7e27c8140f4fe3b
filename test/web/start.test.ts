// The first minute, as `npm start` makes it: one command builds the demo estate and prints a link, which
// opens the console signed in, once.
import { afterAll, expect, it } from 'vitest';
import { type Console, openConsole } from '../support/browser.js';
import { startCli } from '../support/cli.js';
import { newHome, useHomes } from '../support/home.js';
import { until } from '../support/wait.js';

useHomes();

const LINK = /(http:\/\/127\.0\.0\.1:\d+)\/#link=\S+/;

let web: Console | undefined;
afterAll(() => web?.close());

it('the printed link opens the console signed in, and works once', async () => {
  const { home } = newHome();
  const { child, done } = startCli(
    ['up', '--demo', '--rows', '2000', '--embedded', '--stay', '--port', '0'],
    {
      env: { GCOS_HOME: home },
    },
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: string) => {
      printed += text;
    });
  try {
    const [link, url = ''] = await until(
      'the link is printed',
      () => LINK.exec(printed) ?? undefined,
      300_000,
    );
    web = await openConsole(url);
    const first = await web.open();
    await first.visit(link);
    await first.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await first.settled();
    // The secret is not kept in the address.
    expect(first.page.url()).toBe(`${url}/`);
    await first.page.getByText('watched as of').waitFor();
    expect(
      Number((await first.page.locator('a.count').first().textContent())?.replaceAll(',', '')),
    ).toBeGreaterThan(0);
    expect(first.errors).toEqual([]);

    const second = await web.open();
    await second.visit(link);
    await second.page.getByRole('alert').waitFor();
    await second.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(second.errors).toEqual([]);
  } finally {
    child.kill('SIGTERM');
    await done;
  }
});
