// Drafts or activates rulesets from the built library in a separate process. Reports on stdout, one JSON
// object per line, and waits for a line on stdin in all modes but chain. Modes: draft, activate, hold, chain
// (which changes the tables as the host before each activation).
import { createInterface } from 'node:readline';
import pg from 'pg';
import { loadConfig, openGcos } from '../../dist/index.js';
import { activateRuleset } from '../../dist/rule/ruleset/index.js';

const options = JSON.parse(process.argv[2]);
const gcos = await openGcos(loadConfig({ DATABASE_URL: options.url }, '/'));
const report = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const isolation = options.isolation ?? 'read committed';

const activate = (step, before = async () => undefined) =>
  gcos.db.transaction({ isolation, retries: 5 }, async (tx) => {
    const done = await activateRuleset(tx, step);
    await before();
    return done;
  });
const outcome = (work) =>
  work.then(
    () => 'done',
    (error) => error.code,
  );

if (options.mode !== 'chain') {
  report({ state: 'ready' });
  await lines.next();
}
if (options.mode === 'draft') {
  const made = await gcos.rulesets.draft();
  report({ state: 'end', outcome: made.version, created: made.created });
} else if (options.mode === 'activate') {
  report({ state: 'end', outcome: await outcome(activate(options.steps[0])) });
} else if (options.mode === 'hold') {
  await activate(options.steps[0], async () => {
    report({ state: 'in transaction' });
    await lines.next();
  });
} else {
  // Kills the process at an arbitrary point: between or within statements, or before the answer to a commit.
  if (options.killAfterMs !== undefined)
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), options.killAfterMs);
  const host = new pg.Client({ connectionString: options.hostUrl });
  await host.connect();
  for (const [index, { edit, ...step }] of options.steps.entries()) {
    await host.query(edit);
    await activate(step);
    report({ state: 'activated', index });
  }
  await host.end();
  report({ state: 'end' });
}
await gcos.close();
process.stdin.destroy();
