// Compares two derivations of the same state after a history: updated step by step, and derived from scratch.
// Each history runs on a copy of one estate that was scanned once.
import { randomBytes } from 'node:crypto';
import { wrongCitations } from './cited.js';
import { asHost, createDatabase, urlFor } from './database.js';
import { catchUp, differences, readKnownState, startOver } from './from-scratch.js';
import { live, type Step } from './history.js';
import { openAt } from './open.js';
import { provideTemplate } from './templates.js';

export interface Comparison {
  /** Runs `steps` and returns the differences, one line each. */
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
  // Effectively no ceiling on findings: a summary would depend on how many findings one write raises.
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
        await catchUp(gcos);
        // Both readings use the same time for the ledger's terms, so that no verdict expires between them.
        const [now] = await asHost(copy.url, 'select clock_timestamp()::text as at');
        const at = String(now?.['at']);
        const uncited = await wrongCitations(copy.url);
        const stepByStep = await readKnownState(copy.url, at);
        await startOver(copy.url, gcos);
        return [...uncited, ...differences(stepByStep, await readKnownState(copy.url, at))];
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

/** How many differences an error lists. */
const LISTED = 20;

/** Throws an error that lists the differences, if there are any. */
export async function expectEqual(comparison: Comparison, steps: readonly Step[]): Promise<void> {
  const found = await comparison.after(steps);
  if (found.length === 0) return;
  const more = found.length > LISTED ? `\nand ${found.length - LISTED} more` : '';
  throw new Error(`${found.length} differences\n${found.slice(0, LISTED).join('\n')}${more}`);
}
