// An estate after a backfill and a first intake, opened with a worker's login; and a query for dirty groups.
import type { Gcos, IntakeRun } from '../../src/index.js';
import { asHost } from './database.js';
import { createEstate, type Estate } from './estate.js';
import { createPeople } from './people.js';

export interface Mark {
  readonly registry: string;
  readonly scope: string;
  readonly reason: string;
}

export interface IntakeEstate {
  readonly estate: Estate;
  /** GCOS, opened with the worker's login. */
  readonly worker: Gcos;
  readonly workerUrl: string;
  host(sql: string): Promise<Record<string, unknown>[]>;
  /** Runs the intake once and returns its report. */
  once(): Promise<IntakeRun>;
  /** Groups that wait for an evaluation. */
  marks(): Promise<Mark[]>;
  /** Clears all marks, as a scan does, so that the next mark is visible. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export async function createIntake(): Promise<IntakeEstate> {
  const estate = await createEstate('followed');
  const people = createPeople(estate.url);
  const { gcos: worker, url: workerUrl } = await people.login('intake', 'gcos_worker');
  const host = (sql: string) => asHost(estate.url, sql);
  return {
    estate,
    worker,
    workerUrl,
    host,
    once: () => worker.intakes.once(),
    marks: async () =>
      (
        await host(
          `select i.source_registry as registry, c.scope, c.dirty_reason as reason
           from governance_candidate_state c join governance_inventory i using (inventory_key)
           where c.dirty and c.row_state in ('active', 'retired') order by 1, 2, 3`,
        )
      ).map((row) => row as unknown as Mark),
    catchUp: async () => {
      for (const table of ['governance_candidate_state', 'governance_candidate_object'])
        await host(`update ${table} set dirty = false, dirty_reason = null, dirtied_at = null where dirty`);
    },
    async close() {
      await people.close();
      await estate.close();
    },
  };
}
