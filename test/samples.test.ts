// The `console` blocks of other pages are true, too: each page runs on a copy of what `gcos up --demo`
// leaves.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from './support/cli.js';
import { runSteps, stepsOf } from './support/console.js';
import { createDatabase, type TestDatabase } from './support/database.js';

const PAGES = [
  'README.md',
  'docs/backfill.md',
  'docs/gate.md',
  'docs/exceptions.md',
  'docs/scan.md',
  'docs/rulesets.md',
  'docs/identities.md',
];

describe('the output that a page shows', () => {
  let demo: TestDatabase;
  beforeAll(async () => {
    demo = await createDatabase();
    const { exit, stderr } = await runCli(['up', '--demo', '--rows', '20000', '--yes'], {
      env: { DATABASE_URL: demo.url },
    });
    expect(exit, stderr).toBe(0);
    // A database can be copied only while no session is connected.
    await demo.db.close();
  }, 300_000);
  afterAll(() => demo?.close());

  it.each(PAGES)(
    'is what the commands print: %s',
    async (page) => {
      const steps = stepsOf(page);
      expect(steps.length).toBeGreaterThan(0);
      const copy = await createDatabase({ template: new URL(demo.url).pathname.slice(1) });
      await runSteps(steps, copy.url);
      await copy.close();
    },
    300_000,
  );
});
