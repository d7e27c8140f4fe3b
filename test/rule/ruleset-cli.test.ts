// `gcos ruleset` in a process of its own.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

describe('gcos ruleset', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
  });
  afterEach(() => estate.close());
  const gcos = (...args: string[]) => runCli(['ruleset', ...args, '--database-url', estate.url]);
  const json = async (...args: string[]) =>
    JSON.parse((await gcos(...args, '--json')).stdout) as Record<string, unknown>;

  it('drafts, lists, shows, compares and verifies', async () => {
    expect((await gcos('list')).stdout).toContain('no rulesets');
    const dry = await json('draft', '--dry-run');
    expect(dry).toMatchObject({ created: true, dry_run: true, status: 'draft' });
    expect((await json('list'))['rulesets']).toEqual([]);

    const first = await gcos('draft', '--notes', 'the first');
    expect(first.exit).toBe(0);
    expect(first.stdout).toContain(`${dry['version']} drafted`);
    expect(first.stdout).toMatch(/detectors +140 +measurement_registry/);
    expect(first.stdout).toMatch(/\d+ detectors reach everything: no mapping for .*LAW-46/);
    const again = await gcos('draft');
    expect(again.stdout).toContain('is a draft already: nothing to do');

    await asHost(
      estate.url,
      "update measurement_registry set enabled = false where measurement_id = 'MSR-001'; drop table axis_registry",
    );
    const second = await json('draft');
    expect(second).not.toHaveProperty('content');
    const [from, to] = [String(dry['version']), String(second['version'])];
    const diff = await gcos('diff', from, to);
    expect(diff.stdout).toContain(`${from} → ${to}: 26 changes`);
    expect(diff.stdout).toContain('detector MSR-001 (LAW-19) disabled');
    expect(diff.stdout).toContain('component axes became absent');
    expect((await gcos('diff', to, 'current')).stdout).toContain('are equal');

    const shown = await gcos('show', to);
    expect(shown.stdout).toMatch(/absent +axes/);
    expect(shown.stdout).toMatch(/reach +\d+ detectors reach everything/);
    expect(await json('show', from, '--content')).toMatchObject({
      notes: 'the first',
      content: { family: 'governance' },
    });
    const list = await gcos('list', '--limit', '1');
    expect(list.stdout).toContain(to);
    expect(list.stdout).toContain(`more: --after ${to}`);
    expect((await gcos('list', '--after', to)).stdout).toContain(from);

    expect((await gcos('verify', from)).stdout).toMatch(/bytes hash to [0-9a-f]{64}/);
    await asHost(
      estate.url,
      `alter table governance_ruleset disable trigger all; alter table governance_ruleset drop constraint governance_ruleset_hashes;
       update governance_ruleset set canonical_bytes = '\\x7b7d' where ruleset_version = '${from}'`,
    );
    const corrupt = await gcos('verify', from);
    expect(corrupt.exit).toBe(2);
    expect(corrupt.stderr).toContain('ruleset_corrupt');
  });

  it('exits with 3 if no ruleset is active, for unknown names and for invalid limits', async () => {
    for (const args of [
      ['show', 'active'],
      ['verify', 'gov-rs-0123456789ab'],
      ['diff', 'current', 'nonsense'],
      ['list', '--limit', '0'],
    ])
      expect((await gcos(...args)).exit, args.join(' ')).toBe(3);
  });

  it('drafts a ruleset that gcos up does not draft again', async () => {
    await gcos('draft');
    const up = await runCli(['up', '--database-url', estate.url]);
    expect(up.exit).toBe(0);
    expect(up.stderr).toMatch(/ruleset: gov-rs-[0-9a-f]{12}, drafted before/);
  });
});
