// Owns the trial writes of an installed GCOS. They call the same functions as the workers, so `gcos doctor`
// detects a problem (a trigger that runs with GCOS's privileges, a revoked privilege) before a worker does.
import { readServerTime, type Transaction } from '../db/index.js';
import { appendAudit, type TrialWrite } from '../host/index.js';
import { appendTrialSnapshot } from '../inventory/snapshot/index.js';
import { tick } from '../record/cursor/index.js';
import { emitSignals } from '../record/event/index.js';
import { writeFindings } from '../record/finding/index.js';

const SUBJECT = 'gcos-trial';

function trial(table: string, what: string, write: (tx: Transaction) => Promise<unknown>): TrialWrite {
  return {
    table,
    what,
    through: 'function',
    async write(tx) {
      await write(tx);
    },
  };
}

export const installedTrials: readonly TrialWrite[] = [
  trial('registry_changelog', 'an audit row', (tx) =>
    appendAudit(tx, [
      { entityType: 'governance_snapshot', action: 'capture', entityCode: SUBJECT, detail: { trial: true } },
    ]),
  ),
  trial('evolution_snapshots', 'a snapshot', appendTrialSnapshot),
  trial('system_issues', 'a finding', async (tx) =>
    writeFindings(
      tx,
      [{ type: 'candidate_unknown', subject: SUBJECT, entityType: 'trial', entityCode: SUBJECT }],
      {
        runId: SUBJECT,
        at: await readServerTime(tx),
        ruleset: null,
        activeRuleset: null,
      },
    ),
  ),
  trial('event_pending', 'a signal, held or sent', (tx) =>
    emitSignals(tx, [
      {
        type: 'candidate.unknown',
        subjectTable: 'governance_candidate_state',
        subjectRef: SUBJECT,
        payload: { count: 1 },
      },
    ]),
  ),
  trial('queue_heartbeat', 'a heartbeat', (tx) => tick(tx, { worker: 'trial', status: 'ok' })),
];
