// The summary views show a read-only login the same data as the library, with at most one row per group.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import { provideException } from '../../src/demo/index.js';
import { toWire } from '../../src/kernel/index.js';
import { readGroupRows, readRuns } from '../../src/verdict/candidate/index.js';
import { asHost } from '../support/database.js';
import { type Estate, prepareEstate } from '../support/estate.js';
import { cover } from '../support/judged.js';
import { createPeople, type People } from '../support/people.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const prepared = prepareEstate('covered', async (estate) => {
  await provideException(estate.gcos);
  await cover(estate, 'cover-2');
});

describe('summary views', () => {
  let estate: Estate;
  let people: People;
  let readerUrl: string;
  beforeEach(async () => {
    estate = await prepared.copy();
    people = createPeople(estate.url);
    readerUrl = (await people.login('reader', 'gcos_reader')).url;
  });
  afterEach(async () => {
    await people.close();
    await estate.close();
  });
  /** Queries as a read-only login, with every row as JSON. */
  const rows = async (text: string) =>
    (await asHost(readerUrl, `select to_jsonb(q)::text as j from (${text}) q`)).map(
      (row) => JSON.parse(String(row['j'])) as Record<string, unknown>,
    );
  const time = (value: unknown) => Date.parse(String(value));

  it('v_governance_ledger shows the last closed ledger', async () => {
    const shown = await estate.gcos.ledgers.show();
    const view = await rows('select * from v_governance_ledger order by scope');
    expect(view).toHaveLength(shown.scopes.length);
    for (const [index, each] of shown.scopes.entries()) {
      const { differing: _, differences: __, gone: ___, duplicates: ____, ...terms } = each;
      expect(view[index]).toMatchObject({
        ...(toWire(terms) as object),
        run_id: shown.runId,
        not_closed_since: null,
      });
      expect(time(view[index]?.['closed_at'])).toBe(time(shown.closedAt));
      expect(view[index]?.['snapshot_id']).toBe(Number(shown.snapshot));
    }
    await asHost(
      estate.url,
      `insert into candidate_scan_run (run_id, kind, status, started_at, ledger)
       select 'later', kind, 'failed', clock_timestamp(), ledger from candidate_scan_run where ledger is not null limit 1`,
    );
    const notClosedSince = await rows('select distinct not_closed_since from v_governance_ledger');
    expect(notClosedSince).toEqual([{ not_closed_since: 'later' }]);
    expect((await estate.gcos.ledgers.show()).notClosedSince?.runId).toBe('later');
  });

  it('v_governance_coverage adds up to a ledger computed now', async () => {
    const ledger = await estate.gcos.ledgers.verify();
    const view = await rows(
      `select scope, sum(covered)::int as covered, sum(orphans)::int as orphans, sum(exceptions)::int as exceptions,
         sum(not_evaluated)::int as not_evaluated, sum(no_longer_valid)::int as lapsed
       from v_governance_coverage group by scope order by scope`,
    );
    expect(view).toEqual(
      ledger.scopes.map(({ scope, covered, orphans, exceptions, unverifiedBy: unverified_by }) => ({
        scope,
        covered,
        orphans,
        exceptions,
        not_evaluated: unverified_by['not_evaluated'] ?? 0,
        lapsed: 0,
      })),
    );
    expect(view.every((each) => Number(each['orphans']) > 0)).toBe(true);
    const [members] = await rows(
      `select (select sum(members) from v_governance_coverage where scope = 'audit') as shown,
         (select sum(member_count) from governance_inventory where inherits) as there`,
    );
    expect(members?.['shown']).toBe(members?.['there']);
  });

  it('v_governance_finding counts the open findings by type, severity and owner', async () => {
    const { findings } = await estate.gcos.findings.list({ limit: 10_000 });
    const counted = new Map<string, number>();
    for (const each of findings)
      for (const owner of each.routes) {
        const name = JSON.stringify([each.type, each.severity, owner]);
        counted.set(name, (counted.get(name) ?? 0) + 1);
      }
    const view = await rows('select finding_type, severity, owner, findings from v_governance_finding');
    expect(
      new Map(
        view.map((row) => [
          JSON.stringify([row['finding_type'], row['severity'], row['owner']]),
          row['findings'],
        ]),
      ),
    ).toEqual(counted);
    expect(counted.size).toBeGreaterThan(10);
  });

  it('v_governance_verdict shows every group, and v_governance_backlog the rows that wait for an evaluation', async () => {
    await asHost(
      estate.url,
      `update governance_candidate_state set dirty = true, dirty_reason = 'test', dirtied_at = now() - interval '1 hour'
       where row_id in (select row_id from governance_candidate_state where row_state = 'active' order by 1 limit 7);
       update governance_candidate_object set stale_after = now() - interval '1 minute'
       where row_id in (select row_id from governance_candidate_object where row_state = 'active' order by 1 limit 5)`,
    );
    const groups = await estate.db.transaction(READ_ONLY, async (tx) =>
      readGroupRows(tx, { at: await readServerTime(tx) }),
    );
    const live = groups.filter((row) => row.rowState === 'active');
    const view = await rows(
      'select group_key, verdict, valid, invalid_reason, scope from v_governance_verdict',
    );
    expect(view).toHaveLength(live.length);
    const byKey = new Map(view.map((row) => [row['group_key'], row]));
    for (const row of live)
      expect(byKey.get(row.groupKey)).toMatchObject({
        verdict: row.candidateVerdict,
        valid: row.valid,
        invalid_reason: row.invalidReason,
      });
    expect(live.filter((row) => !row.valid)).toHaveLength(7);

    const status = await estate.gcos.scans.status();
    const waiting = await rows(
      'select groups, objects, oldest, reason, exposure from v_governance_backlog order by oldest',
    );
    const sum = (name: string) => waiting.reduce((total, row) => total + Number(row[name]), 0);
    expect([sum('groups'), sum('objects')]).toEqual([Number(status.groups), Number(status.objects)]);
    expect(new Set(waiting.map((row) => row['reason']))).toEqual(new Set(['test', 'expired']));
    expect(time(waiting[0]?.['oldest'])).toBe(time(status.oldest));
    // A few milliseconds pass between the two queries.
    expect(sum('exposure') / status.exposure).toBeCloseTo(1, 1);
    const [invalid] = await rows('select sum(no_longer_valid)::int as n from v_governance_coverage');
    expect(Number(invalid?.['n'])).toBeGreaterThan(0);
  });

  it('v_governance_run shows the last runs, and v_governance_exception the status of exceptions', async () => {
    const runs = await estate.db.transaction(READ_ONLY, (tx) => readRuns(tx));
    const view = await rows('select * from v_governance_run');
    expect(view.map((row) => row['run_id'])).toEqual(runs.map((run) => run.runId));
    expect(view.map((row) => row['status'])).toEqual(runs.map((run) => run.status));
    const exceptions = await estate.gcos.exceptions.list();
    expect(exceptions.length).toBeGreaterThan(0);
    const status = await rows('select exception_code, status from v_governance_exception order by 1');
    expect(status).toEqual(
      exceptions
        .filter((each) => each.status !== 'revoked')
        .map((each) => ({ exception_code: each.code, status: each.status })),
    );
  });

  it('do not depend on tables of the host, so the host can alter them', async () => {
    const dependencies = await asHost(
      estate.url,
      `select distinct v.relname as view, t.relname as table
       from pg_depend d join pg_rewrite w on w.oid = d.objid join pg_class v on v.oid = w.ev_class
       join pg_class t on t.oid = d.refobjid
       where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and v.relname like 'v\\_governance\\_%'
         and t.relname in ('system_issues', 'birth_registry', 'evolution_snapshots', 'registry_changelog', 'approval_requests')`,
    );
    expect(dependencies).toEqual([]);
  });
});
