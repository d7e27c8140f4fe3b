// `gcos exception` and `gcos gate break-glass` on the command line: one command opens a request, one approves
// it, and the output names the next step.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { createEstate, type Estate } from '../support/estate.js';

describe('gcos exception and gcos gate break-glass', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('backfilled');
  });
  afterEach(() => estate.close());
  const run = (...args: string[]) => runCli([...args, '--database-url', estate.url]);
  const request = ['dot_tools', 'DOT-142', '--scope', 'execution', '--link', 'rollback', '--as', 'member-1'];

  it('open a request once, and print the next step', async () => {
    const requested = await run(
      'exception',
      'request',
      ...request,
      '--reason',
      'being written',
      '--for',
      '30d',
    );
    expect(requested.exit, requested.stderr).toBe(0);
    expect(requested.stdout).toContain('GEX-0001 waits for request APR-0062');
    expect(requested.stdout).toContain('`gcos request approve APR-0062`');
    const [again, approved] = await Promise.all([
      run('exception', 'request', ...request, '--reason', 'again', '--until', '2026-12-01', '--json'),
      run('request', 'approve', 'APR-0062', '--as', 'president'),
    ]);
    expect(JSON.parse(again.stdout)).toMatchObject({ opened: false, exception: { code: 'GEX-0001' } });
    expect(approved.exit, approved.stderr).toBe(0);
    const [list, show] = await Promise.all([
      run('exception', 'list', '--status', 'in_force', '--scope', 'execution', '--limit', '1', '--json'),
      run('exception', 'show', 'GEX-0001'),
    ]);
    expect(JSON.parse(list.stdout)).toMatchObject({
      exceptions: [{ code: 'GEX-0001', status: 'in_force' }],
      next: 'GEX-0001',
    });
    expect(show.stdout).toMatch(/^GEX-0001 in_force: approved/m);
    expect(show.stdout).toMatch(/^fingerprint +[0-9a-f]{12} at the request; unchanged$/m);
    expect(show.stdout).toMatch(/president +president +approve/);
  });

  it('refuse incomplete or invalid requests, and print what is missing', async () => {
    const [withoutEnd, twoSubjects, tooLong, unknown] = await Promise.all([
      run('exception', 'request', ...request, '--reason', 'x'),
      run('exception', 'request', ...request, '--class', 'venue', '--reason', 'x', '--for', '1d'),
      run('exception', 'request', '--class', 'venue', '--scope', 'health', '--reason', 'x', '--for', '400d'),
      run('exception', 'revoke', 'GEX-0099', '--reason', 'x'),
    ]);
    expect([withoutEnd.exit, twoSubjects.exit, tooLong.exit, unknown.exit]).toEqual([3, 3, 3, 3]);
    expect(withoutEnd.stderr).toContain('give an end');
    expect(tooLong.stderr).toContain('exception_too_long');
    expect(unknown.stderr).toContain('exception_unknown');
  });

  it('refuse a break-glass approval by the requesting login under another name', async () => {
    const breakGlass = [
      'gate',
      'break-glass',
      'dot_tools',
      'DOT-142',
      '--stage',
      'prod',
      '--action',
      'execute',
    ];
    const requested = await run(...breakGlass, '--reason', 'payments are down', '--as', 'member-1', '--json');
    expect(requested.exit, requested.stderr).toBe(0);
    const { pass } = JSON.parse(requested.stdout) as { pass: { approval_ref: string } };
    const [approved, list] = await Promise.all([
      run('request', 'approve', pass.approval_ref, '--as', 'president'),
      run('gate', 'break-glass', '--list'),
    ]);
    expect(approved.exit).toBe(2);
    expect(approved.stderr).toContain('one login is one person');
    expect(list.stdout).toMatch(/^GBG-0001 +waiting +execute dot_tools \/ DOT-142 at stage prod/m);
  });
});
