// Fixes: each is one action on one subject, ranked by the number of units that need it. GCOS writes only the
// request that proposes it.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { cover } from '../support/judged.js';
import { until } from '../support/wait.js';

describe('fixes', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('covered');
  });
  afterEach(() => estate.close());
  const sql = (text: string) => asHost(estate.url, text);
  const all = async () => (await estate.gcos.fixes.list({ limit: 10_000 })).fixes;
  const fixFor = async (what: string) => {
    const found = (await all()).find((fix) => fix.what === what);
    if (found === undefined) throw new Error(`no fix: ${what}`);
    return found;
  };

  it('are empty before coverage is evaluated, and the answer counts what is not evaluated', async () => {
    const unevaluated = await createEstate('backfilled');
    try {
      const { total, notEvaluated: waiting } = await unevaluated.gcos.fixes.list();
      expect([total, waiting > 1_000]).toEqual([0, true]);
    } finally {
      await unevaluated.close();
    }
  });

  it('contain every missing link of every unit exactly once, ranked by the number of units', async () => {
    const fixes = await all();
    expect(fixes.length).toBeGreaterThan(5);
    expect(fixes.map((fix) => fix.objects)).toEqual(
      fixes.map((fix) => fix.objects).sort((left, right) => right - left),
    );
    expect(new Set(fixes.map((fix) => fix.id)).size).toBe(fixes.length);
    // The independent recount: missing links of units, by link, in both tables of rows.
    const rows = await sql(
      `select l.key as link, count(*)::int as n
       from (select coverage_evidence from governance_candidate_state where row_state = 'active' and weight = 1 and coverage_outcome = 'orphan'
         union all
         select coverage_evidence from governance_candidate_object where row_state = 'active' and weight = 1 and coverage_outcome = 'orphan') u,
         jsonb_each(u.coverage_evidence -> 'links') l
       where l.value ->> 'state' in ('missing', 'conflict') and not l.value ? 'tool'
       group by 1 order by 1`,
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) {
      const waiting = fixes
        .filter((fix) => fix.link === row['link'] && fix.action !== 'authorize_tool')
        .reduce((sum, fix) => sum + fix.objects, 0);
      expect([row['link'], waiting]).toEqual([row['link'], row['n']]);
    }
  });

  it('name the action, the subject, who can do it and the findings it closes, and count members of containers separately', async () => {
    const owner = await fixFor('name an accountable owner for collection `bookings` in scope execution');
    expect(owner).toMatchObject({ action: 'name_owner', scope: 'execution', sample: ['bookings'] });
    expect(owner.id).toMatch(/^FIX-[0-9a-f]{12}$/);
    const [container] = await sql(
      `select count(*)::int as groups, sum(member_count)::int as members from governance_inventory i
       join governance_candidate_state c using (inventory_key)
       where i.source_registry = 'bookings' and c.scope = 'execution' and c.row_state = 'active' and c.coverage_outcome = 'orphan'`,
    );
    expect([owner.objects, owner.members]).toEqual([container?.['groups'], container?.['members']]);
    expect(owner.members).toBeGreaterThan(owner.objects);
    expect(owner.who.length).toBeGreaterThan(0);
    expect(owner.findings.length).toBeGreaterThan(0);
    for (const code of owner.findings)
      expect(await estate.gcos.findings.show(code)).toMatchObject({ type: 'owner_gap', scope: 'execution' });
    const actions = (await all()).map((fix) => fix.what);
    expect(actions).toContain('give class `dot_tool` an approval path in scope approval');
    expect(actions.some((each) => each.startsWith('register axis `'))).toBe(true);
    expect(actions.some((each) => each.startsWith('decide which of its owners is accountable for'))).toBe(
      true,
    );
    expect(actions.some((each) => /^give tool `.*` an authority/.test(each))).toBe(true);
    // One fix per tool without authority, regardless of its number of jobs and scopes.
    const tools = (await all()).filter((fix) => fix.action === 'authorize_tool');
    expect(new Set(tools.map((fix) => fix.subject.ref)).size).toBe(tools.length);
  });

  it('disappear when they are done, their findings are resolved, and both return when the fix is undone', async () => {
    const before = await fixFor('name an accountable owner for collection `bookings` in scope execution');
    await sql(
      `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, is_inherited_anchor,
         approval_ref, audit_ref, rollback_ref, source_law_ref, source_design_ref, effective_from)
       values ('collection', 'bookings', 'execution', 'accountable', 'GOV-SIV', true,
         'APR-0001', 'registry_changelog/1', 'GD-010', 'LAW-08', 'GD-002', '2026-02-18')`,
    );
    const { resolved } = await cover(estate, 'cover-2');
    expect((await all()).map((fix) => fix.id)).not.toContain(before.id);
    const closed = resolved.map((each) => each.code);
    expect(before.findings.every((code) => closed.includes(code))).toBe(true);
    await sql(
      "delete from governance_object_ownership where object_ref = 'bookings' and scope = 'execution'",
    );
    await cover(estate, 'cover-3');
    expect((await fixFor(before.what)).id).toBe(before.id);
  });

  it('are listed page by page, by scope and by owner', async () => {
    const fixes = await all();
    const first = await estate.gcos.fixes.list({ limit: 3 });
    const second = await estate.gcos.fixes.list({ limit: 3, after: first.next ?? '' });
    expect([...first.fixes, ...second.fixes].map((fix) => fix.id)).toEqual(
      fixes.slice(0, 6).map((fix) => fix.id),
    );
    expect(first.total).toBe(fixes.length);
    const notEvaluated = (await estate.gcos.ledgers.verify()).scopes.map(
      (each) => each.unverifiedBy['not_evaluated'] ?? 0,
    );
    expect(first.notEvaluated).toBe(notEvaluated.reduce((sum, each) => sum + each, 0));
    const audit = (await estate.gcos.fixes.list({ scope: 'audit', limit: 1_000 })).fixes;
    expect(audit.every((fix) => fix.scope === 'audit' || fix.scope === null)).toBe(true);
    const who = fixes[0]?.who[0] ?? '';
    const theirs = (await estate.gcos.fixes.list({ owner: who, limit: 1_000 })).fixes;
    expect(theirs.length).toBeGreaterThan(0);
    expect(theirs.every((fix) => fix.who.includes(who))).toBe(true);
  });

  /** The row count and a digest of the rows of every table in both schemas. */
  const tableDigests = async () => {
    const tables = await sql(
      `select quote_ident(c.relname) as name from pg_class c where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'gcos_trust'::regnamespace) order by 1`,
    );
    const text = tables
      .map(
        ({ name }) =>
          `select '${name}' as name, count(*)::text || '/' || coalesce(sum(hashtextextended(t::text, 0)), 0)::text as is from ${name} t`,
      )
      .join(' union all ');
    return new Map((await sql(text)).map((row) => [String(row['name']), String(row['is'])]));
  };
  const changed = (before: Map<string, string>, after: Map<string, string>) =>
    [...after]
      .filter(([name, is]) => before.get(name) !== is)
      .map(([name]) => name)
      .sort();

  /** Runs the work twice concurrently: a lock stops both calls before they open a request. */
  const runTwiceAtOnce = async <T>(work: () => Promise<T>): Promise<T[]> => {
    const client = new pg.Client({ connectionString: estate.url });
    await client.connect();
    try {
      await client.query("begin; select gcos_take_lock('request')");
      const both = Promise.all([work(), work()]);
      await until('both wait', async () => {
        const [row] = await sql(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return row?.['n'] === 2;
      });
      await client.query('rollback');
      return await both;
    } finally {
      await client.end();
    }
  };

  it('are proposed by a request with evidence, once while it is pending; nothing else is written', async () => {
    const fix = await fixFor('give class `dot_tool` an approval path in scope approval');
    const before = await tableDigests();
    const rehearsed = await estate.gcos.fixes.propose(fix.id, { as: 'member-1', dryRun: true });
    expect(rehearsed.created).toBe(true);
    expect(changed(before, await tableDigests())).toEqual([]);

    const proposed = await estate.gcos.fixes.propose(fix.id, { as: 'member-1' });
    expect(proposed.created).toBe(true);
    // The host lists the types of action that can be requested; the first request of a type adds it.
    expect(changed(before, await tableDigests())).toEqual([
      'approval_requests',
      'apr_action_types',
      'gcos_log',
      'gcos_log_head',
      'governance_action_type',
      'governance_request',
    ]);
    const request = await estate.gcos.requests.show(proposed.code);
    expect(request).toMatchObject({ action: 'gcos.remediation.propose', risk: 'low', status: 'pending' });
    expect(request.proposedAction).toMatchObject({
      remedy: fix.id,
      what: fix.what,
      scope: 'approval',
      objects: fix.objects,
      finding_count: fix.findings.length,
      found_under: { ruleset: fix.foundUnder.ruleset, snapshot: String(fix.foundUnder.snapshot) },
    });

    const between = await tableDigests();
    const again = await estate.gcos.fixes.propose(fix.id, { as: 'council-1' });
    expect(again).toMatchObject({ created: false, code: proposed.code });
    const both = await runTwiceAtOnce(() =>
      estate.gcos.fixes.propose(fix.findings[0] ?? '', { as: 'member-1' }),
    );
    expect(both.map((each) => each.created).sort()).toEqual([false, true]);
    expect(both[0]?.code).toBe(both[1]?.code);
    expect(both[0]?.remediation).toMatchObject({ fix: fix.id, what: fix.what, findingCount: 1 });
    expect(changed(between, await tableDigests())).toEqual([
      'approval_requests',
      'gcos_log',
      'gcos_log_head',
      'governance_request',
    ]);

    // GCOS does not apply an approved fix; a proposal after the decision opens a new request.
    await estate.gcos.requests.approve(proposed.code, { as: 'council-1' });
    expect(await fixFor(fix.what)).toMatchObject({ id: fix.id, objects: fix.objects });
    expect((await estate.gcos.fixes.propose(fix.id, { as: 'member-1' })).created).toBe(true);
  });

  it('are shown and proposed on the command line; unknown fixes and findings are refused', async () => {
    const run = (...args: string[]) => runCli([...args, '--database-url', estate.url]);
    const [table, json, mixed, unknown, finding] = await Promise.all([
      run('finding', 'list', '--by-fix', '--limit', '3'),
      run('finding', 'list', '--by-fix', '--json', '--limit', '2'),
      run('finding', 'list', '--by-fix', '--type', 'owner_gap'),
      run('finding', 'propose', 'FIX-000000000000'),
      run('finding', 'propose', 'GCOS-NOPE'),
    ]);
    expect(table.exit, table.stderr).toBe(0);
    expect(table.stdout).toMatch(/^fix +objects +alone +members +findings +for +what to do$/m);
    expect(table.stdout).toMatch(/^more: --after FIX-/m);
    expect((JSON.parse(json.stdout) as { fixes: unknown[] }).fixes).toHaveLength(2);
    expect([mixed.exit, unknown.exit, finding.exit]).toEqual([3, 3, 3]);
    const { id } = await fixFor('name an accountable owner for collection `bookings` in scope execution');
    const proposed = await run('finding', 'propose', id, '--as', 'member-1');
    expect(proposed.exit, proposed.stderr).toBe(0);
    expect(proposed.stdout).toMatch(/request APR-\d+: .*GCOS does not apply it/);
  });
});
