// The tutorial is true: every command runs in order, on a database of its own, and prints what the page
// shows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSteps, stepsOf } from './support/console.js';
import { createDatabase, type TestDatabase } from './support/database.js';

describe('the tutorial', () => {
  const steps = stepsOf('docs/tutorial.md', { runsSql: true });
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database?.close());

  it('has more than 15 commands', () => {
    expect(steps.filter(({ kind }) => kind === 'command').length).toBeGreaterThan(15);
  });

  it('shows the actual output of every command', () => runSteps(steps, database.url), 600_000);
});
