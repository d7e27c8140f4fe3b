// The lifecycle of findings about rules, snapshots, signals and the backfill: raised when the problem occurs,
// counted once, resolved when it ends, reopened when it returns. (Workers are in cursor-watch, scans in scan,
// detectors in detector.)
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readServerTime } from '../../src/db/index.js';
import { checkDangling } from '../../src/verdict/candidate/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { emitNow, signalOf } from '../support/events.js';

let estate: Estate;
const host = (text: string) => asHost(estate.url, text);
const rules = () => estate.gcos.rulesets.drift();
const signal = async (type: string) => emitNow(estate.db, [signalOf(type, `S-${Math.random()}`)]);
let snapshot = '';
beforeEach(async () => {
  estate = await createEstate('backfilled');
  const [row] = await host('select max(source_snapshot_ref)::text as ref from governance_candidate_state');
  snapshot = String(row?.['ref']);
});
afterEach(() => estate?.close());

const point = (ref: string) => () =>
  host(`update governance_candidate_state set source_snapshot_ref = ${ref}
    where row_id = (select min(row_id) from governance_candidate_state where row_state = 'active')`);
const held = (type: string) => ({
  subject: type,
  cause: async () => {
    await estate.gcos.events.deactivate([type]);
    await signal(type);
  },
  cure: () => estate.gcos.events.activate([type]),
  check: () => estate.gcos.promoteSignals(),
});

interface Problem {
  readonly type: string;
  /** Selects one finding where the type may have several. */
  readonly subject?: string;
  readonly cause: () => Promise<unknown>;
  readonly cure: () => Promise<unknown>;
  /** Runs the check that raises and resolves the finding. */
  readonly check: () => Promise<unknown>;
}

const PROBLEMS: readonly Problem[] = [
  {
    type: 'ruleset_drift',
    cause: () => host(`update coverage_profile set risk_class = 'read' where risk_class = 'write_high'`),
    cure: () =>
      host(`update coverage_profile p set risk_class = 'write_high' where p.profile_code in (
        select r ->> 'profile_code' from governance_ruleset g, jsonb_array_elements(convert_from(g.canonical_bytes, 'UTF8')::jsonb -> 'components') c,
          jsonb_array_elements(c -> 'rows') r
        where g.status = 'active' and c ->> 'component' = 'profiles' and r ->> 'risk_class' = 'write_high')`),
    check: rules,
  },
  {
    type: 'ruleset_unowned',
    cause: () => host(`update governance_registry set status = 'dormant' where code = 'GOV-COUNCIL'`),
    cure: () => host(`update governance_registry set status = 'active' where code = 'GOV-COUNCIL'`),
    check: rules,
  },
  { type: 'issue_event_gap', ...held('coverage.orphan') },
  { type: 'handoff_unregistered_type', ...held('handoff.object_born') },
  {
    type: 'snapshot_ref_dangling',
    cause: point('424242'),
    cure: () => point(snapshot)(),
    // A closing run would repair the reference before it checks.
    check: async () => {
      const ruleset = (await estate.gcos.rulesets.show('active')).version;
      await estate.db.transaction({ isolation: 'repeatable read' }, async (tx) =>
        checkDangling(tx, {
          ...{ runId: 'look', ruleset, activeRuleset: ruleset },
          at: await readServerTime(tx),
        }),
      );
    },
  },
];

it.each(PROBLEMS)('$type is raised, resolved and reopened', async ({ type, subject, cause, cure, check }) => {
  const step = async (act: (() => Promise<unknown>) | null) => {
    await act?.();
    await check();
    const rows = await host(
      `select i.status, coalesce(i.reopen_count, 0) as reopens from governance_finding_key k join system_issues i on i.id = k.issue_id
       where k.finding_type = '${type}' and i.last_seen_at >= '${since}' and k.subject = coalesce(${subject === undefined ? 'null' : `'${subject}'`}, k.subject)`,
    );
    return rows.map((row) => `${row['status']} ${row['reopens']}`);
  };
  const [{ since } = { since: '' }] = (await host('select clock_timestamp()::text as since')) as {
    since: string;
  }[];
  expect(await step(cause)).toEqual(['open 0']);
  expect(await step(null)).toEqual(['open 0']);
  expect(await step(cure)).toEqual(['resolved 0']);
  expect(await step(cause)).toEqual(['open 1']);
  expect(await step(cure)).toEqual(['resolved 1']);
});

it('backfill_incomplete is raised, resolved and reopened', async () => {
  const states = () =>
    host(`select i.status, coalesce(i.reopen_count, 0)::int as reopens, i.occurrence_count::int as seen from governance_finding_key k
      join system_issues i on i.id = k.issue_id where k.finding_type = 'backfill_incomplete'`);
  const run = async (holdMs?: number) => {
    await estate.gcos.backfills.run(holdMs === undefined ? {} : { holdMs });
    return states();
  };
  expect(await run(-1)).toEqual([{ status: 'open', reopens: 0, seen: 1 }]);
  expect(await run(-1)).toEqual([{ status: 'open', reopens: 0, seen: 2 }]);
  expect(await run()).toMatchObject([{ status: 'resolved', reopens: 0 }]);
  expect(await run(-1)).toMatchObject([{ status: 'open', reopens: 1 }]);
  expect(await run()).toMatchObject([{ status: 'resolved', reopens: 1 }]);
});
