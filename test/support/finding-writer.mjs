// Raises two findings many times in a separate process: connects, prints `ready`, waits for a line on stdin,
// writes the findings, prints the totals.
import { once } from 'node:events';
import { loadConfig, openGcos } from '../../dist/index.js';
import { writeFindings } from '../../dist/record/finding/index.js';

const [url, times] = process.argv.slice(2);
const gcos = await openGcos(loadConfig({ DATABASE_URL: url }, '/'));
await gcos.installation.requireInstalled();
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const total = { raised: 0, reopened: 0, repeated: 0 };
for (let n = 0; n < Number(times); n += 1) {
  const subjects = n % 2 === 0 ? ['one', 'two'] : ['two', 'one'];
  const done = await gcos.db.transaction({ isolation: 'read committed' }, (tx) =>
    writeFindings(
      tx,
      subjects.map((subject) => ({ type: 'cursor_lag', subject, entityType: 'worker', entityCode: subject })),
      {
        runId: `run-${process.pid}`,
        at: '2026-06-01 12:00:00+00',
        ruleset: null,
        activeRuleset: null,
      },
    ),
  );
  total.raised += done.raised.length;
  total.reopened += done.reopened.length;
  total.repeated += done.repeated;
}
await gcos.close();
process.stdout.write(`${JSON.stringify(total)}\n`);
process.stdin.destroy();
