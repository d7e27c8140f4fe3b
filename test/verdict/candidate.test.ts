// The verdicts on groups and objects of the demo estate: their basis and their expiry. Every test rolls back.
import { describe, expect, it } from 'vitest';
import { refreshGroups } from '../../src/inventory/group/index.js';
import {
  beginRun,
  evaluateGroups,
  failRun,
  finishRun,
  markDirty,
  materializeObjects,
  readCandidate,
  readGroupRows,
  readLastRun,
  readObjectRows,
  readRules,
  readsAs,
  reviseObjects,
} from '../../src/verdict/candidate/index.js';
import {
  decidedBy,
  estate,
  groupsOf,
  host,
  inside,
  later,
  NOTHING,
  objectOf,
  passOver,
  SCOPES,
  stamp,
  useJudged,
} from '../support/candidate.js';
import { asHost } from '../support/database.js';
import { evidence, some } from '../support/evidence.js';
import { inventoryIn } from '../support/inventory.js';
import { createPeople } from '../support/people.js';

useJudged();

describe('seed 40 §40.10 test 1: no checked-forever', () => {
  it('no table of GCOS has a column that stores permanent validity', async () => {
    // A view stores nothing: its column `valid` is computed for each query.
    const rows = await asHost(
      estate.url,
      `select c.relname, a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       join pg_roles r on r.oid = c.relowner
       where r.rolname in ('gcos_owner', 'gcos_trust_owner') and c.relkind in ('r', 'p', 'v', 'm')
         and (a.attname ~ '(^|_)(is_)?(governed|checked|covered_forever|is_valid|is_fresh)($|_)' or c.relkind <> 'v' and a.attname in ('valid', 'stale', 'fresh', 'done'))`,
    );
    expect(rows).toEqual([]);
    const [owned] = await asHost(
      estate.url,
      `select count(*)::int as n from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname in ('gcos_owner', 'gcos_trust_owner') and c.relkind = 'r'`,
    );
    expect(owned?.['n']).toBeGreaterThan(20);
  });

  it('every verdict has a snapshot, a ruleset and an expiry time, and is valid at first', () =>
    inside(async (tx) => {
      const rows = await readGroupRows(tx, { at: stamp.at });
      expect(rows.length).toBeGreaterThan(600);
      expect(rows.filter((row) => !row.valid)).toEqual([]);
      expect(new Set(rows.map((row) => row.rulesetVersion))).toEqual(new Set([stamp.rulesetVersion]));
      expect(rows.filter((row) => row.snapshotAt === null || row.scanTime >= row.staleAfter)).toEqual([]);
      evidence(`${some(rows.length, 'verdict')}, each under a snapshot, ${stamp.rulesetVersion} and an end`);
    }));

  it('a verdict expires without any write', () =>
    inside(async (tx) => {
      const [row] = await groupsOf(tx, 'articles');
      const before = (await groupsOf(tx, 'articles', later(0)))[0];
      const after = (await groupsOf(tx, 'articles', row?.staleAfter ?? ''))[0];
      expect(before).toMatchObject({ valid: true, invalidReason: null });
      expect(after).toMatchObject({ valid: false, invalidReason: 'expired', updatedAt: before?.updatedAt });
      expect(after && readsAs(after)).toBe('stale');
    }));

  it('a verdict is invalid when its ruleset is no longer active', () =>
    inside(async (tx) => {
      // Without a carry-over of verdicts to another version.
      await host(
        tx,
        `update governance_ruleset set status = 'superseded' where ruleset_version = '${stamp.rulesetVersion}'`,
      );
      const [row] = await groupsOf(tx, 'articles');
      expect(row).toMatchObject({ valid: false, invalidReason: 'ruleset_not_active' });
      expect(row && readsAs(row)).toBe('unknown');
    }));

  it('validity is derived by one function, which the planner inlines into the calling query', async () => {
    const plan = await asHost(
      estate.url,
      "explain select v.valid from governance_candidate_state c join governance_validity('2026-06-01T00:00:00Z') v using (row_id) where c.scope = 'policy'",
    );
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(text).not.toMatch(/Function Scan/);
    expect(text).toMatch(/evolution_snapshots/);
  });
});

describe('verdicts of the estate', () => {
  it('every line of precedence decides for the collections it is meant for', () =>
    inside(async (tx) => {
      const rows = await readGroupRows(tx, { at: stamp.at, scope: 'policy' });
      const of = (collection: string, status?: string) =>
        new Set(
          rows
            .filter(
              (row) =>
                row.sourceRegistry === collection && (status === undefined || row.lifecycleStatus === status),
            )
            .map((row) => `${row.verdictLine} ${row.candidateVerdict}`),
        );
      expect(of('articles', 'born')).toEqual(new Set(['8 relevant']));
      expect(of('articles', 'merged')).toEqual(new Set(['3 retired']));
      expect(of('articles_tags')).toEqual(new Set(['3 retired']));
      expect(of('saved_views')).toEqual(new Set(['4 class_0']));
      expect(of('bookmarks')).toEqual(new Set(['4 class_0']));
      expect(of('iot_telemetry')).toEqual(new Set(['5 deferred_birth']));
      for (const collection of [
        'legacy_catalog',
        'partner_catalog',
        'glossary_terms',
        'devices',
        'legacy_import',
      ])
        expect(of(collection)).toEqual(new Set(['6 unknown']));
      expect(of('tags')).toEqual(new Set(['7 not_relevant']));
      const unknown = rows.filter((row) => row.verdictLine === 6);
      expect(new Set(unknown.map((row) => row.riskClass))).toEqual(new Set(['write_high']));
      const [unborn] = await objectOf(tx, 'dot_tools', 'DOT-308');
      expect(unborn).toMatchObject({
        verdictLine: 1,
        candidateVerdict: 'deferred_birth',
        birthId: null,
        weight: 1,
      });
      const [malformed] = await objectOf(tx, 'articles', '');
      expect(malformed).toMatchObject({ verdictLine: 2, candidateVerdict: 'needs_input', weight: 0 });
    }));

  it('a class-0 object leaves class 0 while a shared object refers to it', () =>
    inside(async (tx) => {
      const own = () => objectOf(tx, 'saved_views', 'SV-000007');
      expect(new Set((await own()).map((row) => row.scope)).size).toBe(SCOPES);
      for (const row of await own())
        expect(row).toMatchObject({ reasons: ['independent'], candidateVerdict: 'not_relevant', weight: 0 });
      expect((await groupsOf(tx, 'saved_views'))[0]).toMatchObject({
        candidateVerdict: 'class_0',
        weight: 1,
      });
      expect(await passOver(tx)).toEqual(NOTHING);

      await host(
        tx,
        "update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'SV-000007'",
      );
      await passOver(tx);
      expect(new Set((await own()).map((row) => row.rowState))).toEqual(new Set(['retired']));
    }));

  it.each([
    [
      'ownership of the collection',
      `insert into governance_object_ownership (id, object_type, object_ref, scope, owner_kind, owner_gov_code, lifecycle_status)
       values (990001, 'collection', 'saved_views', 'render', 'supporting', 'GOV-MOUT', 'active')`,
    ],
    ['an axis', "update axis_registry set object_class = 'saved_view' where axis_code = 'AX-VENUE-REGION'"],
    [
      'the reach of a rule',
      `insert into governance_rule_reach (rule_kind, rule_code, source_registry) values ('law', 'LAW-04', 'saved_views')`,
    ],
  ])('a class-0 collection leaves class 0 when it is named by %s', (_, change) =>
    inside(async (tx) => {
      await host(tx, change);
      await refreshGroups(tx, (await inventoryIn(tx, 'public')).groups, stamp.at);
      await passOver(tx);
      const live = (await groupsOf(tx, 'saved_views')).filter((row) => row.rowState === 'active');
      expect(live.length).toBeGreaterThan(0);
      for (const row of live) expect(row).toMatchObject({ candidateVerdict: 'not_relevant', verdictLine: 7 });
      const other = (await groupsOf(tx, 'user_drafts')).map((row) => row.candidateVerdict);
      expect(new Set(other)).toEqual(new Set(['class_0']));
    }),
  );

  it('a malformed or duplicated birth carries its own needs_input, and its group keeps its verdict', () =>
    inside(async (tx) => {
      const states = async (collection: string, code: string) =>
        new Set((await objectOf(tx, collection, code)).map((row) => row.inputQualityState));
      for (const code of ['A-\u000199151', 'A-99152\n', ''])
        expect(await states('articles', code)).toEqual(new Set(['invalid_schema']));
      expect(await states('documents', 'D'.repeat(6_000))).toEqual(new Set(['invalid_schema']));
      expect(await states('media_files', 'MF-29991231')).toEqual(new Set(['invalid_schema']));
      expect(await states('articles', 'A-19700101')).toEqual(new Set(['stale']));
      expect(await states('articles', 'A-99101')).toEqual(new Set(['duplicate']));
      // These codes are unusual but valid.
      for (const code of ['A:99:153', 'A/2026/05/154', 'archive/2025:A-1'])
        expect(await states('articles', code)).toEqual(new Set());
      const tool = await objectOf(tx, 'dot_tools', 'DOT-030');
      expect(tool).toHaveLength(SCOPES);
      expect(tool[0]).toMatchObject({
        inputQualityState: 'duplicate',
        materializationReason: 'input',
        reasons: ['input', 'independent'],
        weight: 1,
      });
      const [first] = await asHost(
        estate.url,
        "select min(id)::text as id from birth_registry where collection_name = 'dot_tools' and entity_code = 'DOT-030'",
      );
      expect(tool[0]?.birthId).toBe(BigInt(first?.['id'] as string));
    }));

  it('an object is read with its own rows, or with those of the group that represents it', () =>
    inside(async (tx) => {
      const { map } = await readRules(tx);
      const at = stamp.at;
      const tool = await readCandidate(tx, { collection: 'dot_tools', code: 'DOT-117', map, at });
      expect(tool.own.map((row) => row.scope)).toHaveLength(SCOPES);
      expect(tool.own.find((row) => row.scope === 'approval')).toMatchObject({
        candidateVerdict: 'relevant',
        coverageOutcome: 'not_evaluated',
        riskClass: 'write_high',
        lifecycleStatus: 'active',
      });
      const article = await readCandidate(tx, { collection: 'articles', code: 'A-99123', map, at });
      expect(article.own).toEqual([]);
      expect(article.groups).toHaveLength(SCOPES);
      const unregistered = await readCandidate(tx, {
        collection: 'articles',
        code: 'no such thing',
        map,
        at,
      });
      expect(unregistered).toEqual({ births: [], own: [], groups: [] });
    }));

  it('a born member that its registry does not list is unknown, not deferred', () =>
    inside(async (tx) => {
      await host(
        tx,
        "insert into birth_registry (entity_code, collection_name, species_code, governance_role) values ('DOT-NEW', 'dot_tools', 'SP-TOOL', 'governed')",
      );
      await materializeObjects(tx, { ...(await decidedBy(tx)), of: { collections: ['dot_tools'] } });
      const rows = await objectOf(tx, 'dot_tools', 'DOT-NEW');
      expect(rows).toHaveLength(SCOPES);
      expect(rows[0]).toMatchObject({
        candidateVerdict: 'unknown',
        verdictLine: 6,
        evidence: { listed: false },
      });
    }));
});

describe('privileges', () => {
  it('a worker login can evaluate, mark and record runs; the login of a person cannot', async () => {
    const people = createPeople(estate.url);
    try {
      const worker = await people.login('worker', 'gcos_worker');
      await worker.gcos.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
        await markDirty(tx, { reason: 'handoff', at: stamp.at, where: { collections: ['dot_tools'] } });
        await reviseObjects(tx, [{ collection: 'dot_tools', code: 'DOT-117' }], await decidedBy(tx));
        const done = await passOver(tx, later(60));
        expect(done['renewed']).toBeGreaterThan(SCOPES);
        await beginRun(tx, { runId: 'of-the-worker', kind: 'scan', mode: 'full' });
        await finishRun(tx, 'of-the-worker', { counts: done });
      });
      const person = await people.login('person');
      await expect(
        person.gcos.db.rehearse({ isolation: 'repeatable read' }, async (tx) =>
          evaluateGroups(tx, await decidedBy(tx)),
        ),
      ).rejects.toThrow(/permission denied/);
    } finally {
      await people.close();
    }
  });
});

describe('a host without profiles, scopes and owners', () => {
  it('has one scope, and everything in it is unknown without a decision', () =>
    inside(async (tx) => {
      await host(
        tx,
        `drop table governance_object_ownership, governance_responsibility_scope, coverage_profile, axis_registry cascade;
         update governance_ruleset set status = 'superseded' where status = 'active'`,
      );
      await refreshGroups(tx, (await inventoryIn(tx, 'public')).groups, stamp.at);
      await passOver(tx);
      const rows = await readGroupRows(tx, { at: stamp.at });
      expect(new Set(rows.map((row) => row.scope))).toEqual(new Set(['all']));
      const births = rows.filter(
        (row) => row.sourceRegistry === 'articles' && row.lifecycleStatus === 'born',
      );
      expect(births).not.toEqual([]);
      for (const row of births)
        expect(row).toMatchObject({
          candidateVerdict: 'unknown',
          riskClass: 'write_high',
          weight: 1,
          evidence: { profiles_available: false },
        });
      // No profile makes members count individually: only objects with bad input keep rows of their own.
      const objects = (await readObjectRows(tx, { at: stamp.at })).filter((row) => row.rowState === 'active');
      expect(new Set(objects.map((row) => row.materializationReason))).toEqual(new Set(['input']));
      expect(await passOver(tx)).toEqual(NOTHING);
    }));
});

describe('the record of runs', () => {
  it('records a run once, and ends it once', () =>
    inside(async (tx) => {
      const { rulesetVersion } = stamp;
      await beginRun(tx, {
        runId: 'r1',
        kind: 'backfill',
        snapshotRef: 1n,
        rulesetVersion,
        phase: 'seeding',
      });
      await beginRun(tx, { runId: 'r1', kind: 'backfill', phase: 'again' });
      expect(await readLastRun(tx, { kind: 'backfill', status: 'running' })).toMatchObject({
        runId: 'r1',
        phase: 'seeding',
        finishedAt: null,
      });
      const counts = { scanned: 20_000n };
      await finishRun(tx, 'r1', {
        phase: 'tailing',
        counts,
        proof: { closed: true },
        closingSnapshotRef: 1n,
      });
      expect(await readLastRun(tx, { runId: 'r1' })).toMatchObject({
        status: 'completed',
        phase: 'tailing',
        counts: { scanned: '20000' },
        proof: { closed: true },
        rulesetVersion,
      });
      await expect(finishRun(tx, 'r1', {})).rejects.toMatchObject({ code: 'run_not_running' });
      await beginRun(tx, { runId: 'r2', kind: 'scan', mode: 'incremental' });
      await failRun(tx, 'r2', { error: 'too much at once', status: 'throttled' });
      expect(await readLastRun(tx)).toMatchObject({
        runId: 'r2',
        status: 'throttled',
        error: 'too much at once',
      });
    }));
});
