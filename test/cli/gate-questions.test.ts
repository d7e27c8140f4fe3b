// `gcos gate check` in a pipeline: a question as of another time is never an allow, and a manifest cannot
// lower the stage and the action of the command line.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

describe('gcos gate check', () => {
  let estate: Estate;
  let folder: string;
  const gate = (...args: string[]) =>
    runCli(['gate', 'check', ...args], { env: { DATABASE_URL: estate.url } });
  const checks = async () =>
    Number((await asHost(estate.url, 'select count(*)::int as n from governance_gate_answer'))[0]?.['n']);
  const manifest = (text: string) => {
    const file = join(folder, 'release.json');
    writeFileSync(file, text);
    return file;
  };
  beforeAll(async () => {
    estate = await createEstate('scanned');
    folder = mkdtempSync(join(tmpdir(), 'gcos-test-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await estate.close();
  });

  it('answers as of another time without a decision: exit 2, nothing recorded, no `answer`', async () => {
    const before = await checks();
    const found = await gate('dot_tools', 'DOT-118', '--at', '2020-01-01');
    expect(found.stdout).toMatch(/^as of 2020-01-01 00:00:00\+00/);
    expect(found.stdout).toContain('would be ALLOW  dot_tools / DOT-118');
    expect(found.stdout).toContain('not a decision and not recorded');
    expect(found.exit).toBe(2);
    const later = await gate('dot_tools', 'DOT-118', '--at', '2999-01-01', '--json');
    expect(later.exit).toBe(2);
    const json = JSON.parse(later.stdout) as Record<string, unknown>;
    expect(json).toMatchObject({ would_be: 'block', answers: [{ would_be: 'block' }] });
    expect(Object.keys(json)).not.toContain('answer');
    expect(await checks()).toBe(before);
    expect((await gate('dot_tools', 'DOT-118', '--at', '2020-01-01', '--fresh')).exit).toBe(3);
    expect((await gate('dot_tools', 'DOT-118', '--at', 'some day')).exit).not.toBe(0);
    expect((await gate('dot_tools', 'DOT-118')).exit).toBe(0);
  });

  it('takes --stage and --action as floors of a manifest, and refuses a key that is written twice', async () => {
    const file = manifest(
      '[{"collection": "dot_tools", "code": "DOT-117", "stage": "design", "action": "read"}]',
    );
    expect((await gate('--file', file)).exit).toBe(0);
    const floor = await gate('--file', file, '--stage', 'prod', '--action', 'execute');
    expect(floor.exit).toBe(2);
    expect(floor.stdout).toMatch(/^BLOCK {2}dot_tools \/ DOT-117 {2}\(prod, execute, /);
    const stricter = await gate(
      '--file',
      manifest('{"stage": "prod", "items": [{"collection": "dot_tools", "code": "DOT-117"}]}'),
      '--stage',
      'design',
    );
    expect(stricter.exit).toBe(2);
    const twice = await gate(
      '--file',
      manifest('[{"collection": "dot_tools", "code": "DOT-118", "code": "DOT-117"}]'),
    );
    expect([twice.exit, twice.stderr]).toEqual([
      3,
      expect.stringMatching(/gate_manifest_key_repeated.*"code"/),
    ]);
  });
});
