// `gcos explain` on the command line.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { createEstate, type Estate } from '../support/estate.js';

describe('gcos explain', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('judged');
  });
  afterEach(() => estate.close());
  const run = (...args: string[]) => runCli([...args, '--database-url', estate.url]);

  it('prints its answer on stdout, also for an unknown object', async () => {
    const [found, unknown, json, escaped, withoutCode, unknownGroup, both] = await Promise.all([
      run('explain', 'dot_tools', 'DOT-117', '--scope', 'approval'),
      run('explain', 'dot_tools', 'DOT:9/99'),
      run('explain', 'articles', 'A:99:153', '--json'),
      run('explain', 'pages', 'PG-\u001b[31m000002'),
      run('explain', 'dot_tools'),
      run('explain', '--group', 'f00'),
      run('explain', 'dot_tools', 'DOT-117', '--group', 'f00'),
    ]);
    expect(found.exit, found.stderr).toBe(0);
    expect(found.stdout).toMatch(/^`dot_tools` \/ `DOT-117` in scope approval was relevant/m);
    expect(found.stdout).toMatch(/→ 8 +applies +relevant +otherwise: \{"profile":"PRF-001"/);
    expect(found.stdout).toContain('it is re-evaluated after');
    expect(unknown.exit).toBe(2);
    expect(unknown.stdout).toMatch(/^unknown, in every scope: there is no such birth/);
    expect(json.exit, json.stderr).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({ known: true, subject: { code: 'A:99:153' } });
    expect(escaped.stdout).toContain('needs_input');
    expect(escaped.stdout).not.toContain('\u001b');
    expect([withoutCode.exit, unknownGroup.exit, both.exit]).toEqual([3, 2, 3]);
  });
});
