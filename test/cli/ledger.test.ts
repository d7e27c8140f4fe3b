// `gcos ledger` and `gcos status` on the command line: exit codes, JSON, and lines that name the faults.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { close } from '../support/judged.js';

describe('gcos ledger and gcos status', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('judged');
  });
  afterEach(() => estate.close());
  const run = (...args: string[]) => runCli([...args, '--database-url', estate.url]);

  it('answer unknown or no before the first ledger is closed', async () => {
    const [shown, status] = await Promise.all([run('ledger', 'show'), run('status')]);
    expect(shown.exit).toBe(2);
    expect(shown.stdout).toContain('no ledger has been closed yet');
    expect(status.stdout).toMatch(/1\. Is every object accounted for\? {2}unknown/);
    expect(status.stdout).toMatch(/2\. Is that answer still true\? {2}unknown/);
    expect(status.stdout).toMatch(/3\. May this go to production\? {2}no/);
  });

  it('show and verify the closed ledger, as a table and as JSON', async () => {
    await close(estate, 'run-1');
    const [shown, verified, one, none, status] = await Promise.all([
      run('ledger', 'show'),
      run('ledger', 'verify', '--json'),
      run('ledger', 'show', '--scope', 'audit', '--json'),
      run('ledger', 'show', '--scope', 'nowhere'),
      run('status'),
    ]);
    expect(shown.exit, shown.stderr).toBe(0);
    expect(shown.stdout).toMatch(/^scope +total +covered +orphans +exceptions +retired +unverified/m);
    expect(shown.stdout).toMatch(/^approval .* % +closes$/m);
    expect(shown.stdout).toContain('since then: no known changes');
    expect(verified.exit, verified.stderr).toBe(0);
    const { closes, scopes } = JSON.parse(verified.stdout) as {
      closes: boolean;
      scopes: Record<string, number>[];
    };
    expect(closes).toBe(true);
    for (const each of scopes) {
      const terms = [
        'covered',
        'orphans',
        'exceptions',
        'retired',
        'unverified',
        'deferred_birth',
        'class_0',
      ];
      expect(terms.reduce((sum, term) => sum + (each[term] ?? Number.NaN), 0)).toBe(each['total']);
    }
    expect(JSON.parse(one.stdout)).toMatchObject({
      closed: true,
      run_id: 'run-1',
      scopes: [{ scope: 'audit' }],
    });
    expect(none.exit).toBe(3);
    expect(status.stdout).toMatch(/1\. Is every object accounted for\? {2}yes/);
    // Nothing has watched the host since: the ledger was closed without an intake or a full scan.
    expect(status.stdout).toMatch(/2\. Is that answer still true\? {2}unknown/);
    expect(status.stdout).toMatch(
      /3\. May this go to production\? {2}no\n.*unverified units.*unknown is not safe/,
    );
    expect(status.stdout).toMatch(/^snapshot \d+ of .*; ruleset gov-rs-[0-9a-f]{12} in force$/m);
    expect(status.stdout).not.toContain('differ from the active ruleset');
  });

  it('name the group of a deleted candidate row: verify exits with 2 and writes nothing', async () => {
    await close(estate, 'run-1');
    const [deleted] = await asHost(
      estate.url,
      `delete from governance_candidate_state where row_id = (
         select row_id from governance_candidate_state s join governance_inventory i using (inventory_key)
         where i.source_registry = 'orders' and s.scope = 'audit' and s.row_state = 'active' order by 1 limit 1)
       returning inventory_key`,
    );
    const [verified, policy, again, status] = await Promise.all([
      run('ledger', 'verify'),
      run('ledger', 'verify', '--scope', 'policy'),
      run('ledger', 'verify', '--json'),
      run('status'),
    ]);
    expect(verified.exit).toBe(2);
    expect(verified.stdout).toContain('audit does not close');
    expect(verified.stdout).toMatch(
      new RegExp(`${deleted?.['inventory_key']} +orders / order / .*: there are 1, accounted for 0`),
    );
    expect(verified.stdout).not.toContain('policy does not close');
    expect(policy.exit).toBe(0);
    expect(again.exit).toBe(2);
    expect(JSON.parse(again.stdout)).toMatchObject({ closes: false });
    expect(
      await asHost(estate.url, "select 1 from system_issues where issue_type = 'governance_schema_drift'"),
    ).toEqual([]);
    // The group has no row, so status reports that the answer is no longer true.
    expect(status.stdout).toMatch(/2\. Is that answer still true\? {2}no\n +1 group not evaluated yet/);
  });

  it('report without any write that the rules in the tables differ from the active ruleset', async () => {
    await asHost(
      estate.url,
      "update measurement_registry set source_query = 'select 1 -- changed' where measurement_id = 'MSR-001'",
    );
    const status = await run('status');
    expect(status.stdout).toMatch(
      /the rules in the tables differ from the active ruleset \(1 change, now gov-rs-/,
    );
    expect(
      await asHost(estate.url, "select 1 from system_issues where issue_type = 'ruleset_drift'"),
    ).toEqual([]);
    const json = JSON.parse((await run('status', '--json')).stdout) as Record<string, unknown>;
    expect(json).toMatchObject({ ruleset: { drifted: true, changes: 1 } });
  });
});

describe('status', () => {
  it('never answers yes for a ledger that contains no birth', async () => {
    const estate = await createEstate('ruled');
    try {
      await asHost(estate.url, 'truncate birth_registry');
      expect((await estate.gcos.backfills.run({})).ledger?.scopes.every((each) => each.closes)).toBe(true);
      await estate.gcos.intakes.once();
      const { accounted, current, production } = await estate.gcos.status();
      expect(accounted).toMatchObject({
        answer: 'unknown',
        why: expect.stringMatching(/closes, but it contains no birth$/),
      });
      expect([current.answer, production.answer]).not.toContain('yes');
    } finally {
      await estate.close();
    }
  });

  it('never answers yes for a ledger in which nothing is verified', async () => {
    // Without a ruleset in force, no verdict is valid.
    const estate = await createEstate('installed');
    try {
      await estate.gcos.backfills.run({});
      await estate.gcos.intakes.once();
      const { accounted, current, production } = await estate.gcos.status();
      expect(accounted).toMatchObject({
        answer: 'no',
        why: expect.stringMatching(/closes, but nothing is verified: run `gcos scan run --mode full`$/),
      });
      expect([current.answer, production.answer]).not.toContain('yes');
    } finally {
      await estate.close();
    }
  });
});

describe('a host without an active scope', () => {
  it('has a ledger that does not close, and status reports why', async () => {
    const estate = await createEstate('installed');
    try {
      await asHost(estate.url, "update governance_responsibility_scope set status = 'retired'");
      expect((await estate.gcos.backfills.run({})).ledger?.closes).toBe(false);
      const verify = await runCli(['ledger', 'verify', '--database-url', estate.url]);
      expect(verify.exit).toBe(2);
      expect(verify.stdout).toContain('no responsibility scope is active');
      expect((await estate.gcos.status()).accounted).toMatchObject({
        answer: 'no',
        why: 'no responsibility scope is active, so there is nothing to add up',
      });
    } finally {
      await estate.close();
    }
  });
});

describe('an altered schema', () => {
  it('makes status answer unknown, with the reason', async () => {
    const estate = await createEstate('installed');
    try {
      await asHost(
        estate.url,
        "update gcos_migration set checksum = repeat('0', length(checksum)) where id = 12",
      );
      const { current, accounted } = await estate.gcos.status();
      expect(current).toMatchObject({ answer: 'unknown', why: accounted.why });
      expect(current.why).toContain('altered');
    } finally {
      await estate.close();
    }
  });
});

describe('a host without an inventory', () => {
  it('has no ruleset and no snapshot, and ledger and explain exit with 4', async () => {
    const estate = await createEstate('host');
    try {
      const status = await runCli(['status', '--json', '--database-url', estate.url]);
      expect(JSON.parse(status.stdout)).toMatchObject({ schema: 'absent', ruleset: null, snapshot: null });
      expect((await runCli(['ledger', 'verify', '--database-url', estate.url])).exit).toBe(4);
      expect((await runCli(['explain', 'a', 'b', '--database-url', estate.url])).exit).toBe(4);
    } finally {
      await estate.close();
    }
  });
});
