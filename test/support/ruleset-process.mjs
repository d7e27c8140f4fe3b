// A process of its own that drafts or activates rulesets, over the built library. It says on stdout, one JSON object per
// line, what it does, and waits for a line on stdin where the mode says so. Modes: draft, activate, hold, chain.
import { createInterface } from 'node:readline';
import { loadConfig, openGcos } from '../../dist/index.js';
import { activateRuleset } from '../../dist/rule/ruleset/index.js';

const options = JSON.parse(process.argv[2]);
const gcos = await openGcos(loadConfig({ DATABASE_URL: options.url }, '/'));
const mapping = await gcos.installation.hostVocabulary();
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const isolation = options.isolation ?? 'read committed';

const activate = (step, before = async () => undefined) =>
  gcos.db.transaction({ isolation, retries: 5 }, async (tx) => {
    const done = await activateRuleset(tx, { ...step, mapping });
    await before();
    return done;
  });
const outcome = (work) =>
  work.then(
    () => 'done',
    (error) => error.code,
  );

if (options.mode !== 'chain') {
  say({ state: 'ready' });
  await lines.next();
}
if (options.mode === 'draft') {
  const made = await gcos.rulesets.draft();
  say({ state: 'end', outcome: made.version, created: made.created });
} else if (options.mode === 'activate') {
  say({ state: 'end', outcome: await outcome(activate(options.steps[0])) });
} else if (options.mode === 'hold') {
  await activate(options.steps[0], async () => {
    say({ state: 'in transaction' });
    await lines.next();
  });
} else {
  // Wherever it is by then: between two statements, within one, or before the answer to a commit.
  if (options.killAfterMs !== undefined)
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), options.killAfterMs);
  for (const [index, step] of options.steps.entries()) {
    await activate(step);
    say({ state: 'activated', index });
  }
  say({ state: 'end' });
}
await gcos.close();
process.stdin.destroy();
