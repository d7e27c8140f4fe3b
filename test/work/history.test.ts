// History: a year of it costs an idle worker nothing, and what the policy no longer keeps is pruned in
// batches, so that the log still verifies.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';
import { sealAll } from '../support/log.js';
import { FOR_EVER, keepHistory, writeHistory } from '../support/old-history.js';

let estate: Estate;
const host = (text: string) => asHost(estate.url, text);
const number = async (text: string) => Number(Object.values((await host(text))[0] ?? {})[0]);
const keep = (value: object | null) => host(keepHistory(value));
const addHistory = (days: number) => writeHistory(estate.url, days);

const WATCHED = [
  'candidate_scan_run',
  'event_pending',
  'governance_hold',
  'governance_delivery',
  'governance_signal_key',
  'gov_worker_retry',
  'governance_gate_answer',
];
/** How many rows and index entries of each table of history were read so far. */
async function rowsRead(): Promise<Readonly<Record<string, number>>> {
  const rows = await host(`
    select t.relname as name, (coalesce(t.seq_tup_read, 0) + coalesce(t.idx_tup_fetch, 0) + coalesce(x.entries, 0))::int as n
    from pg_stat_user_tables t
    left join (select relid, sum(idx_tup_read) as entries from pg_stat_user_indexes group by relid) x using (relid)
    where t.relname = any (array['${WATCHED.join("', '")}'])`);
  return Object.fromEntries(rows.map((row) => [String(row['name']), Number(row['n'])]));
}

/** One round of each duty, in sessions of its own, which have ended: then their counters count. */
async function round(): Promise<void> {
  const gcos = await openAt(estate.url);
  await gcos.worker.once({ signal: new AbortController().signal, log: () => undefined });
  await gcos.close();
}

beforeEach(async () => {
  estate = await createEstate('reconciled');
});
afterEach(() => estate.close());

describe('a year of history', () => {
  it('is not read by an idle round of any duty', async () => {
    await keep(FOR_EVER);
    await round();
    await round();
    const before = await rowsRead();
    await round();
    const idle = await rowsRead();
    await addHistory(120);
    // As autovacuum does: a plan of before the load may read all of it.
    await host('analyze');
    await round();
    const added = await rowsRead();
    await round();
    const after = await rowsRead();
    const costs = WATCHED.map((name) => ({
      name,
      without: (idle[name] ?? 0) - (before[name] ?? 0),
      beside: (after[name] ?? 0) - (added[name] ?? 0),
    }));
    evidence(
      `an idle round reads, without and beside 172,800 scans: ${costs.map((each) => `${each.name} ${each.without} and ${each.beside}`).join(', ')}`,
    );
    for (const { name, beside } of costs) expect(beside, name).toBeLessThan(10_000);
  });

  it('is pruned in batches to what the policy keeps, and the log verifies', async () => {
    const questions = [{ collection: 'dot_tools', code: 'DOT-117' }];
    await estate.gcos.gates.check(questions);
    await host(`update governance_gate_answer set decided_at = decided_at - interval '500 days'`);
    await sealAll(estate.url);
    await estate.gcos.gates.check(questions);
    await sealAll(estate.url);
    await addHistory(120);
    const closings = await number(
      `select count(*) from candidate_scan_run where mode = 'full' or kind = 'backfill'`,
    );
    const orphans = await number(`select count(*) from governance_hold where event_type = 'coverage.orphan'`);
    await keep({
      runs_days: 90,
      retries_days: 30,
      held_days: 7,
      deliveries_days: 60,
      sign_ins_days: 400,
      decisions_days: 400,
      feed_days: 1,
    });
    // Up to a day longer, so that a day of history is one batch.
    const left = async () =>
      number(`
      select (select count(*) from candidate_scan_run where mode = 'incremental' and started_at < now() - interval '91 days')
        + (select count(*) from gov_worker_retry where completed_at < now() - interval '31 days')
        + (select count(*) from governance_hold where event_type = 'candidate.scan_completed' and held_at < now() - interval '8 days')
        + (select count(*) from governance_delivery where read_at is not null and delivered_at < now() - interval '61 days')
        + (select count(*) from governance_signal_key where seen_at < now() - interval '61 days')
        + (select count(*) from governance_gate_answer where decided_at < now() - interval '401 days')`);
    const lefts = [await left()];
    for (let last = -1; lefts.at(-1) !== last && (lefts.at(-1) ?? 0) > 0; ) {
      last = lefts.at(-1) ?? 0;
      await estate.gcos.worker.once({
        signal: new AbortController().signal,
        log: () => undefined,
        duties: ['supervisor'],
      });
      lefts.push(await left());
    }
    evidence(`old rows before and after each round: ${lefts.join(', ')}`);
    expect(lefts.at(-1)).toBe(0);
    // In batches: no round deletes more than five thousand rows of each kind.
    expect(Math.max(...lefts.slice(1).map((each, n) => (lefts[n] ?? 0) - each))).toBeLessThanOrEqual(30_000);
    expect(lefts.length).toBeGreaterThan(20);
    expect(
      await number(`select count(*) from candidate_scan_run where mode = 'full' or kind = 'backfill'`),
    ).toBe(closings);
    expect(
      await number(`select count(*) from candidate_scan_run where run_id like 'old-%'`),
    ).toBeGreaterThanOrEqual(90 * 1_440 - 1);
    expect(await number(`select count(*) from governance_hold where event_type = 'coverage.orphan'`)).toBe(
      orphans,
    );
    expect(
      await number(
        `select count(*) from governance_hold where event_type = 'candidate.scan_completed' and subject_ref = ''`,
      ),
    ).toBeGreaterThanOrEqual(7 * 1_440 - 1);
    expect(
      await number(
        `select count(*) from event_pending where last_error like 'given up%' and processed_at is not null`,
      ),
    ).toBeGreaterThan(100_000);
    expect(await number('select count(*) from governance_delivery where read_at is null')).toBeGreaterThan(
      1_000,
    );
    expect(await number('select count(*) from governance_gate_answer')).toBe(1);
    expect(await estate.gcos.log.verify()).toMatchObject({
      intact: true,
      differences: [],
      prunedAnswers: 1n,
    });
    const { history } = await estate.gcos.worker.status();
    expect(history).toMatchObject([
      { kind: 'decisions', keepDays: 400, pruned: 1n },
      { kind: 'dedupe_keys', keepDays: 60 },
      { kind: 'deliveries', keepDays: 60 },
      { kind: 'feed', keepDays: 1 },
      { kind: 'held', keepDays: 7 },
      { kind: 'retries', keepDays: 30, pruned: 2_500n },
      { kind: 'runs', keepDays: 90 },
      { kind: 'sign_ins', keepDays: 400 },
    ]);
    expect(
      await number(
        `select count(*) from registry_changelog where entity_type = 'governance_history' and action = 'prune'`,
      ),
    ).toBeGreaterThan(20);
    evidence(`${some(Number(history.find((each) => each.kind === 'runs')?.pruned ?? 0n), 'run')} pruned`);
  });

  it('younger than the policy is kept, whoever asks and however often', async () => {
    await addHistory(2);
    for (const name of ['runs', 'retries', 'held', 'deliveries', 'decisions', 'feed'])
      expect(await number(`select gcos_prune_${name}(1000000)`), name).toBe(name === 'retries' ? 2_500 : 0);
  });
});
