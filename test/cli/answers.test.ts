// Output of the first commands of a new user: up, status, doctor, schema dump.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

describe('the first commands', () => {
  let host: Estate;
  beforeEach(async () => {
    host = await createEstate('host');
  });
  afterEach(() => host.close());
  const run = (...args: string[]) => runCli(args, { env: { DATABASE_URL: host.url } });

  it('up installs GCOS, prints what the host has, and can be repeated', async () => {
    const first = await run('up', '--no-backfill');
    expect(first).toMatchObject({ exit: 0, stderr: expect.stringContaining('GCOS schema: installed') });
    expect(first.stdout).toMatch(/Doctor: usable/);
    expect(first.stdout).toMatch(/birth_registry +20,000/);
    expect(await run('up', '--no-backfill')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('already installed'),
    });
    expect(await run('init')).toMatchObject({ exit: 0, stdout: expect.stringContaining('already exists') });
  });

  it('status answers unknown before the first backfill', async () => {
    await run('up', '--no-backfill');
    const status = JSON.parse((await run('status', '--json')).stdout);
    expect(status).toMatchObject({
      accounted: { answer: 'unknown' },
      current: { answer: 'unknown' },
      production: { answer: 'no' },
    });
    expect((await run('status')).stdout).toMatch(/1\. Is every object accounted for\? {2}unknown/);
  });

  it('doctor exits with 0 on a usable host and with 4 on an unusable one', async () => {
    expect((await run('doctor')).exit).toBe(0);
    await asHost(host.url, 'alter table meta_catalog rename to meta_catalogue');
    const broken = await run('doctor');
    expect(broken).toMatchObject({ exit: 4, stderr: '' });
    expect(broken.stdout).toMatch(/PROBLEM +meta_catalog +absent: no object class can be resolved/);
    // GCOS is not installed beside such a host, unless the operator insists.
    const before = await host.gcos.dumpSchema();
    for (const command of ['init', 'up']) {
      const refused = await run(command);
      expect(refused).toMatchObject({ exit: 4, stdout: '' });
      expect(refused.stderr).toMatch(
        /host_unusable: the doctor found a problem, so nothing was installed\n {2}help: meta_catalog: absent: no object class can be resolved\n.*`gcos doctor` shows.*`gcos init --force`/,
      );
      expect(JSON.parse((await run(command, '--json')).stdout)).toMatchObject({
        error: { code: 'host_unusable', problems: [{ section: 'table', subject: 'meta_catalog' }] },
      });
    }
    expect(await run('init', '--dry-run', '--output', '-')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('doctor: not usable: 1 problem, first: meta_catalog'),
    });
    expect(await host.gcos.dumpSchema()).toBe(before);
    expect(await run('init', '--force')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('installed'),
    });
    await asHost(host.url, 'alter table meta_catalogue rename to meta_catalog');
  });

  it('schema dump prints the whole schema to stdout', async () => {
    const dump = await run('schema', 'dump');
    expect(dump.stdout).toBe(await host.gcos.dumpSchema());
  });
});
