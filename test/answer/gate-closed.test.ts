// The gate fails closed: if it cannot decide, it blocks before its deadline with exit code 2. The server does
// not answer, stops during a check, or has no GCOS schema. Only an invalid request is an error (exit code 3).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import type { GateCheck } from '../../src/index.js';
import { runCli, startCli } from '../support/cli.js';
import { asHost, createDatabase, type TestDatabase } from '../support/database.js';
import { createEstate, type Estate, openAt, prepareInstalled } from '../support/estate.js';
import { startServer, type TestServer } from '../support/server.js';
import { until } from '../support/wait.js';

const gate = (url: string, ...args: string[]) => runCli(['gate', 'check', ...args, '--database-url', url]);
const answerOf = (stdout: string): GateCheck => JSON.parse(stdout) as GateCheck;

describe('the gate with a server that accepts connections and never answers', () => {
  let stalled: Server;
  const sockets = new Set<Socket>();
  let url = '';
  beforeAll(async () => {
    stalled = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => stalled.listen(0, '127.0.0.1', resolve));
    const address = stalled.address();
    url = `postgresql://postgres@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/gcos`;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    stalled.close();
  });

  it('blocks at the deadline, in the library and on the command line', async () => {
    const gcos = await openAt(url);
    const check = await gcos.gates.check([{ collection: 'a', code: 'b' }], { deadlineMs: 300 });
    expect([check.answer, check.id, check.decisions[0]?.reasons[0]?.code]).toEqual([
      'block',
      null,
      'gate_timeout',
    ]);
    const done = await gate(url, 'a', 'b', '--timeout', '1s', '--json');
    expect([done.exit, answerOf(done.stdout).decisions[0]?.reasons[0]?.code]).toEqual([2, 'gate_timeout']);
    for (const socket of sockets) socket.destroy();
    await gcos.close();
  });
});

describe('the gate with a server that stops during a check', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    await prepareInstalled(server.url, { rows: 2_000 });
  });
  afterAll(() => server.stop());

  it('blocks before the deadline', async () => {
    const holder = new pg.Client({ connectionString: server.url });
    holder.on('error', () => undefined);
    await holder.connect();
    // The check waits for this lock until the server stops.
    await holder.query('begin; lock table governance_gate_answer in exclusive mode');
    // Much longer than the client needs to notice the lost connection.
    const running = startCli([
      'gate',
      'check',
      'dot_tools',
      'DOT-001',
      '--json',
      '--timeout',
      '300s',
      '--database-url',
      server.url,
    ]);
    await until('the check waits', async () => {
      const { rows } = await holder.query(
        `select count(*)::int as n from pg_locks where not granted and relation = 'governance_gate_answer'::regclass`,
      );
      return rows[0]?.n === 1;
    });
    const data = join(server.folder, 'data');
    const { uid, gid } = statSync(data);
    spawnSync(join(findBinaries().root, 'bin/pg_ctl'), ['stop', '-D', data, '-m', 'immediate', '-w'], {
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      cwd: server.folder,
      stdio: 'ignore',
    });
    const done = await running.done;
    expect(done.exit).toBe(2);
    expect(answerOf(done.stdout)).toMatchObject({ id: null, answer: 'block' });
    expect(answerOf(done.stdout).decisions[0]?.reasons[0]?.code).toBe('database_restarting');
    await holder.end().catch(() => undefined);
  });
});

describe('gcos gate', () => {
  let estate: Estate;
  let empty: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gcos-gate-'));
    estate = await createEstate('covered');
    empty = await createDatabase();
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await estate.close();
    await empty.close();
  });

  it('blocks without a GCOS schema, and at the deadline while another session holds a lock', async () => {
    const withoutSchema = await gate(empty.url, 'a', 'b', '--json');
    expect([withoutSchema.exit, answerOf(withoutSchema.stdout).answer]).toEqual([2, 'block']);
    const holder = new pg.Client({ connectionString: estate.url });
    await holder.connect();
    await holder.query('begin; lock table governance_gate_answer in exclusive mode');
    const late = await gate(estate.url, 'dot_tools', 'DOT-118', '--timeout', '2s', '--json');
    expect([late.exit, answerOf(late.stdout).answer]).toEqual([2, 'block']);
    await holder.query('rollback');
    await holder.end();
  });

  it('prints answers with reasons, evidence and fixes, reads manifests, and sets the exit code', async () => {
    const file = join(folder, 'manifest.json');
    writeFileSync(
      file,
      '[{"collection": "dot_tools", "code": "DOT-118"}, {"collection": "dot_tools", "code": "DOT-117"}]',
    );
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '[{"collection": "dot_tools"}]');
    const [allowed, blocked, many, bad, noSubject, both, stage] = await Promise.all([
      gate(estate.url, 'dot_tools', 'DOT-118'),
      gate(estate.url, 'dot_tools', 'DOT-117', '--action', 'read'),
      gate(estate.url, '--file', file, '--json'),
      gate(estate.url, '--file', broken),
      gate(estate.url),
      gate(estate.url, 'dot_tools', 'DOT-118', '--group', 'x'),
      gate(estate.url, 'dot_tools', 'DOT-118', '--stage', 'soon'),
    ]);
    expect([allowed, blocked, many, bad, noSubject, both, stage].map((each) => each.exit)).toEqual([
      0, 2, 2, 3, 3, 3, 3,
    ]);
    expect(allowed.stdout).toMatch(
      /^ALLOW {2}dot_tools \/ DOT-118 {2}\(prod, execute, high risk\)\n {2}under snapshot \d+, ruleset gov-rs-/,
    );
    expect(blocked.stdout).toMatch(/^BLOCK .*\n {2}orphan +approval +it has no approval path\n/);
    expect(blocked.stdout).toMatch(
      /→ GOV-COUNCIL can give `dot_tools` \/ `DOT-117` an approval path in scope approval/,
    );
    expect(answerOf(many.stdout).decisions.map((each) => each.answer)).toEqual(['allow', 'block']);
    expect(bad.stderr).toMatch(/item 1: code/);
    const id = /recorded as (\d+)/.exec(blocked.stdout)?.[1] ?? '';
    const [why, list, unknown] = await Promise.all([
      runCli(['gate', 'why', id, '--database-url', estate.url]),
      runCli(['gate', 'list', '--limit', '2', '--database-url', estate.url]),
      runCli(['gate', 'why', '999999', '--database-url', estate.url]),
    ]);
    expect(why.stdout).toContain(blocked.stdout.split('\n').slice(0, 3).join('\n'));
    expect(why.stdout).toMatch(/^check \d+, by operator \(postgres\) at /);
    expect(list.stdout).toMatch(/^check +at +by +items/);
    expect(unknown.exit).toBe(3);
  });

  it('exits with 0 in observe mode, and prints what it would block', async () => {
    // The first check derives the gate's rules from the ruleset.
    expect((await gate(estate.url, 'dot_tools', 'DOT-117')).exit).toBe(2);
    // Sets observe mode directly; gate-asking.test.ts shows how a ruleset sets it.
    await asHost(estate.url, `update governance_gate_rules set modes = '{"prod": "observe"}'`);
    const observed = await gate(estate.url, 'dot_tools', 'DOT-117');
    expect(observed.exit).toBe(0);
    expect(observed.stdout).toMatch(/^WOULD BLOCK {2}dot_tools \/ DOT-117/);
    expect(observed.stdout).toMatch(/orphan +approval/);
  });
});
