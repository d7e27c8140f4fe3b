// `gcos finding`: lists findings by severity, in pages, and shows one in full.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFindings } from '../../src/record/finding/index.js';
import { runCli } from '../support/cli.js';
import { createEstate, type Estate } from '../support/estate.js';

const AT = '2026-06-01 12:00:00+00';

describe('gcos finding', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('installed');
    const observations = [
      { type: 'cursor_lag', subject: 'tail', entityType: 'worker', entityCode: 'tail' },
      { type: 'law_reference_gap', subject: 'g2', scope: 'policy', entityType: 'group', entityCode: 'g2' },
      {
        type: 'owner_gap',
        subject: 'g1',
        scope: 'policy',
        entityType: 'group',
        entityCode: 'g1',
        link: 'owner' as const,
        riskClass: 'write_high' as const,
      },
      {
        type: 'owner_gap',
        subject: 'g3\u001b[31m',
        scope: 'render',
        entityType: 'group',
        entityCode: 'g3',
        evidence: { members: 12 },
      },
    ];
    const base = { runId: 'r', at: AT, ruleset: null, activeRuleset: null };
    await estate.db.transaction({ isolation: 'read committed' }, async (tx) => {
      await writeFindings(tx, observations, base);
      await writeFindings(tx, [], { ...base, evaluated: { types: ['law_reference_gap'], subjects: 'all' } });
    });
  });
  afterAll(() => estate.close());
  const gcos = (...args: string[]) => runCli(['finding', ...args], { env: { DATABASE_URL: estate.url } });
  interface Page {
    findings: { code: string; type: string; severity: string; occurrences: string }[];
    next: string | null;
  }
  const list = async (...args: string[]) =>
    JSON.parse((await gcos('list', '--json', ...args)).stdout) as Page;

  it('lists open findings, highest severity first, filtered and in pages', async () => {
    const { findings } = estate.gcos;
    const all = await findings.list();
    expect(all.findings.map((each) => [each.type, each.severity])).toEqual([
      ['owner_gap', 'critical'],
      ['owner_gap', 'high'],
      ['cursor_lag', 'medium'],
    ]);
    expect(all.next).toBeNull();
    expect((await findings.list({ all: true })).findings).toHaveLength(4);
    expect((await findings.list({ type: 'owner_gap', scope: 'render' })).findings).toHaveLength(1);
    expect((await findings.list({ owner: 'GOV-SIV' })).findings.map((each) => each.type)).toEqual([
      'cursor_lag',
    ]);
    expect((await findings.list({ severity: 'critical' })).findings).toHaveLength(1);
    const first = await findings.list({ limit: 2 });
    const rest = await list('--limit', '2', '--after', first.next ?? '', '--severity', 'medium');
    expect(rest).toMatchObject({ findings: [{ code: all.findings[2]?.code, occurrences: '1' }], next: null });
    const human = await gcos('list', '--limit', '2');
    expect(human.stdout).toContain(`more: --after ${first.next}`);
    expect(human.stdout).not.toContain('\u001b');
  });

  it('shows one finding in full, and refuses an unknown code', async () => {
    const [, finding] = (await estate.gcos.findings.list()).findings;
    const shown = JSON.parse((await gcos('show', finding?.code ?? '', '--json')).stdout) as Record<
      string,
      unknown
    >;
    expect(shown).toMatchObject({
      type: 'owner_gap',
      status: 'open',
      evidence: { facts: { members: 12 } },
      reopens: '0',
    });
    const human = await gcos('show', finding?.code ?? '');
    expect(human.exit).toBe(0);
    expect(human.stdout).toContain('no accountable owner resolves');
    expect(human.stdout).not.toContain('\u001b');
    const unknown = await gcos('show', 'GCOS-nothing');
    expect(unknown.exit).toBe(3);
    expect(unknown.stderr).toContain('finding_unknown');
    await expect(estate.gcos.findings.list({ after: 'GCOS-nothing' })).rejects.toMatchObject({
      code: 'finding_unknown',
    });
    for (const args of [
      ['list', '--limit', '0'],
      ['list', '--severity', 'fatal'],
    ])
      expect((await gcos(...args)).exit).toBe(3);
  });
});
