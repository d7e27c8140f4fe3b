// The tutorial is true: every command runs in order, on a database of its own, without psql, and prints what
// the page shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkout } from './support/cli.js';
import { runSteps, stepsOf } from './support/console.js';
import { createDatabase, type TestDatabase } from './support/database.js';

describe('the tutorial', () => {
  const steps = stepsOf('docs/tutorial.md');
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database?.close());

  it('has more than 15 commands', () => {
    expect(steps.filter(({ kind }) => kind === 'command').length).toBeGreaterThan(15);
  });

  it('needs nothing but Node: it has no step outside of the product', () => {
    const page = readFileSync(join(checkout, 'docs/tutorial.md'), 'utf8');
    expect(page).not.toMatch(/```sql/);
    expect(steps.filter(({ kind, text }) => kind === 'command' && !text.startsWith('npx gcos '))).toEqual([]);
  });

  // Where no program is found, psql is not installed.
  it(
    'shows the actual output of every command',
    () => runSteps(steps, database.url, { PATH: '/nowhere' }),
    600_000,
  );
});
