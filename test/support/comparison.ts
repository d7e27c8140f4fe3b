// Compares what is believed after a history, brought up to date step by step, with what follows from nothing. Each history has a copy of
// one estate that was scanned once.
import { randomBytes } from 'node:crypto';
import { asHost, createDatabase, urlFor } from './database.js';
import { catchUp, differences, readBelief, startOver } from './from-scratch.js';
import { live, type Step } from './history.js';
import { openAt } from './open.js';
import { provideTemplate } from './templates.js';

export interface Comparison {
  /** Lives through `steps`; what differs afterwards, one line each. */
  after(steps: readonly Step[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openComparison(serverUrl: string): Promise<Comparison> {
  const template = `t_${randomBytes(6).toString('hex')}`;
  await asHost(
    serverUrl,
    `create database ${template} template ${await provideTemplate(serverUrl, 'backfilled')}`,
  );
  const first = await openAt(urlFor(serverUrl, { database: template }));
  // How many findings one write may raise before one speaks for all of them is a matter of how much came at once.
  await asHost(
    urlFor(serverUrl, { database: template }),
    `update governance_setting set setting_value = '1000000' where setting_key = 'finding.ceiling'`,
  );
  await first.scans.run({ mode: 'full' });
  await first.intakes.once();
  await first.close();
  return {
    async after(steps) {
      const copy = await createDatabase({ serverUrl, template });
      const gcos = await openAt(copy.url);
      try {
        await live(copy.url, gcos, steps);
        await catchUp(copy.url, gcos);
        // Terms of the ledger are as of one time: none of the verdicts that hold then may have run out by the second reading.
        const [now] = await asHost(copy.url, 'select clock_timestamp()::text as at');
        const at = String(now?.['at']);
        const stepByStep = await readBelief(copy.url, at);
        await startOver(copy.url, gcos);
        return differences(stepByStep, await readBelief(copy.url, at));
      } finally {
        await gcos.close();
        await copy.close();
      }
    },
    close: async () => {
      await asHost(serverUrl, `drop database ${template} with (force)`);
    },
  };
}

/** How many differences a failure names. */
const NAMED = 20;

/** Fails with what differs. */
export async function expectEqual(comparison: Comparison, steps: readonly Step[]): Promise<void> {
  const found = await comparison.after(steps);
  if (found.length === 0) return;
  const more = found.length > NAMED ? `\nand ${found.length - NAMED} more` : '';
  throw new Error(`${found.length} differences\n${found.slice(0, NAMED).join('\n')}${more}`);
}
