// Runs a promoter in a separate process, for tests that kill it: connects, prints `ready`, and promotes small
// batches until no signal may be promoted.
import { loadConfig, openGcos } from '../../dist/index.js';
import { promoteBatch } from '../../dist/record/event/index.js';

const [url, limit] = process.argv.slice(2);
const gcos = await openGcos(loadConfig({ DATABASE_URL: url }, '/'));
await gcos.installation.requireInstalled();
process.stdout.write('ready\n');
let run = {};
for (;;) {
  const { more, since } = await gcos.db.transaction({ isolation: 'read committed' }, (tx) =>
    promoteBatch(tx, { limit: Number(limit), ...run }),
  );
  if (!more) break;
  run = { since };
}
await gcos.close();
