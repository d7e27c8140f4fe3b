// Members that are replaced by another member of their registry, or whose migration has ended: they are
// retired, `explain` names what replaces them, and the gate no longer lets them run. Every state is compared
// with an evaluation from scratch.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOTHING_DIFFERS, runAudit } from '../support/audit.js';
import { runCli } from '../support/cli.js';
import { differences, readKnownState, startOver } from '../support/from-scratch.js';
import { ask, inShort } from '../support/gate.js';
import { estate, host, intake, number, scan, useReconciled } from '../support/reconciled.js';

useReconciled();

const TOOL = { collection: 'dot_tools', code: 'DOT-118' };
const SUCCESSOR = { collection: 'dot_tools', code: 'DOT-119' };
const change = async (sql: string) => {
  await host(sql);
  await intake();
  await scan('incremental');
};
const replace = (by: string, replaced: string | null) =>
  change(
    `update dot_tools set supersedes_id = ${replaced === null ? 'null' : `'${replaced}'`} where dot_code = '${by}'`,
  );
const explained = async (code: string) => {
  const { scopes } = await estate.gcos.explanations.object('dot_tools', code, { scope: 'approval' });
  const line = scopes[0]?.lines[2];
  return { verdict: scopes[0]?.verdict, valid: scopes[0]?.valid, wouldBe: scopes[0]?.wouldBe, ...line?.data };
};
const verdicts = async (...codes: readonly string[]) =>
  Promise.all(codes.map(async (code) => (await explained(code)).verdict));
/** What an evaluation from scratch finds that the evaluations step by step did not. */
const compared = async () => {
  const [now] = await host('select clock_timestamp()::text as at');
  const at = String(now?.['at']);
  const stepByStep = await readKnownState(estate.url, at);
  await startOver(estate.url, estate.gcos);
  return differences(stepByStep, await readKnownState(estate.url, at));
};
const TEXT = 'alter table dot_tools add column migration_state text, add column supersedes_id text';

describe('a superseded tool', () => {
  it('is retired, is blocked at the gate, and is named with what replaces it; and lives again if it is not', async () => {
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    await host(TEXT);
    await replace('DOT-119', 'DOT-118');
    expect(await explained('DOT-118')).toMatchObject({
      ...{ verdict: 'retired', valid: true, lifecycle_status: 'superseded', terminal: true },
      superseded_by: ['DOT-119'],
    });
    expect(await explained('DOT-119')).toMatchObject({ verdict: 'relevant', terminal: false });
    const blocked = await ask(estate, TOOL);
    expect(inShort(blocked)).toBe('block retired');
    expect(blocked.reasons[0]?.sentence).toBe(
      'its lifecycle has ended (superseded): it may be read, but no longer written or run',
    );
    expect(blocked.fixes[0]?.what).toContain('gcos explain');
    expect(inShort(await ask(estate, TOOL, { action: 'read' }))).toBe('allow');
    expect(inShort(await ask(estate, TOOL, { stage: 'route' }))).toBe('allow');
    expect(inShort(await ask(estate, SUCCESSOR))).toBe('allow');
    await scan('full');
    expect(await compared()).toEqual([]);
    await replace('DOT-119', null);
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    expect(await explained('DOT-118')).toMatchObject({ verdict: 'relevant', valid: true });
  });

  it('follows a chain to a member in force, past those that have ended, and no further than a draft', async () => {
    await host(TEXT);
    await host(
      `update dot_tools set supersedes_id = 'DOT-118' where dot_code = 'DOT-119';
       update dot_tools set supersedes_id = 'DOT-119', status = 'retired' where dot_code = 'DOT-120';
       update dot_tools set supersedes_id = 'DOT-120' where dot_code = 'DOT-121';
       update dot_tools set supersedes_id = 'DOT-122', status = 'draft' where dot_code = 'DOT-123'`,
    );
    await change('select 1');
    expect(await verdicts('DOT-118', 'DOT-119', 'DOT-120', 'DOT-121', 'DOT-122')).toEqual([
      ...['retired', 'retired', 'retired', 'relevant', 'relevant'],
    ]);
    expect(await explained('DOT-118')).toMatchObject({ superseded_by: ['DOT-119', 'DOT-120', 'DOT-121'] });
    expect(await explained('DOT-122')).toMatchObject({ superseded_without_effect_by: ['DOT-123'] });
    // The end of the newest does not bring the others back: the one before it is in force again.
    await change("update dot_tools set status = 'retired' where dot_code = 'DOT-121'");
    expect(await verdicts('DOT-118', 'DOT-119')).toEqual(['retired', 'relevant']);
    expect((await scan('full')).ledger?.scopes.every((each) => each.closes)).toBe(true);
    expect(await compared()).toEqual([]);
  });

  it('is not retired by a cycle or by itself, nor by what leads into a cycle', async () => {
    await host(TEXT);
    await host(
      `update dot_tools set supersedes_id = 'DOT-118' where dot_code in ('DOT-118', 'DOT-124');
       update dot_tools set supersedes_id = 'DOT-120' where dot_code in ('DOT-119', 'DOT-122');
       update dot_tools set supersedes_id = 'DOT-121' where dot_code = 'DOT-120';
       update dot_tools set supersedes_id = 'DOT-119' where dot_code = 'DOT-121'`,
    );
    await change('select 1');
    expect(await verdicts('DOT-119', 'DOT-120', 'DOT-121', 'DOT-122')).toEqual(Array(4).fill('relevant'));
    // Its reference to itself counts for nothing, that of another tool does.
    expect(await explained('DOT-118')).toMatchObject({ verdict: 'retired', superseded_by: ['DOT-124'] });
    expect(await compared()).toEqual([]);
  });

  it('is found through the key that its registry refers to, and the recount of an auditor agrees', async () => {
    await host(
      `alter table dot_tools add column no int generated always as identity unique, add column supersedes int references dot_tools (no)`,
    );
    await change(
      `update dot_tools t set supersedes = o.no from dot_tools o where o.dot_code = 'DOT-118' and t.dot_code = 'DOT-119'`,
    );
    expect(await explained('DOT-118')).toMatchObject({ verdict: 'retired', superseded_by: ['DOT-119'] });
    await scan('full');
    const home = mkdtempSync(join(tmpdir(), 'gcos-superseded-'));
    const out = join(home, 'ledger');
    try {
      await runCli(['ledger', 'export', '--out', out, '--database-url', estate.url]);
      expect(await runAudit(estate.url, out)).toEqual(NOTHING_DIFFERS);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

it('retires a tool with a migration state that ends its life', async () => {
  await host(TEXT);
  await change("update dot_tools set migration_state = 'running' where dot_code = 'DOT-118'");
  expect(await explained('DOT-118')).toMatchObject({ verdict: 'relevant', lifecycle_status: 'active' });
  await change("update dot_tools set migration_state = 'migrated' where dot_code = 'DOT-118'");
  expect(await explained('DOT-118')).toMatchObject({ verdict: 'retired', lifecycle_status: 'migrated' });
  expect(inShort(await ask(estate, TOOL))).toBe('block retired');
  expect(await compared()).toEqual([]);
});

it('an owner whose row a later one replaces no longer counts: a conflict ends, and a cycle ends none', async () => {
  const conflicts = () =>
    number(
      `select count(*)::int as n from system_issues where issue_type = 'owner_conflict' and status = 'open'`,
    );
  const [pair] = await host(
    `select min(id) as older, max(id) as newer, min(object_ref) as object_ref, min(scope) as scope
     from governance_object_ownership
     where owner_kind = 'accountable' and lifecycle_status = 'active'
     group by object_type, object_ref, scope having count(distinct owner_gov_code) > 1 limit 1`,
  );
  const before = await conflicts();
  expect(before).toBeGreaterThan(0);
  await change(
    `update governance_object_ownership set supersedes_id = ${pair?.['older']} where id = ${pair?.['newer']}`,
  );
  expect(await conflicts()).toBe(before - 1);
  expect(await compared()).toEqual([]);
  // A row that refers to itself, or back to a later one, replaces nothing.
  await change(
    `update governance_object_ownership set supersedes_id = case id when ${pair?.['older']} then ${pair?.['newer']} else id end
     where id in (${pair?.['older']}, ${pair?.['newer']})`,
  );
  expect(await conflicts()).toBe(before);
});
