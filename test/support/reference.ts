// Generates the reference pages from the code: commands, configuration, errors.
import type { Command, Option } from 'commander';
import { cliErrors } from '../../src/cli/errors.js';
import { buildProgram } from '../../src/cli/program.js';
import { demoErrors } from '../../src/demo/index.js';
import { hostContract } from '../../src/host/index.js';
import { errorKinds } from '../../src/index.js';
import { configurationOptions, type ErrorKinds, type MetricDeclarations } from '../../src/kernel/index.js';
import { settings } from '../../src/modules.js';
import { CHANGED_BY, typeText } from '../../src/record/approval/index.js';
import { SERVER_METRICS } from '../../src/server/index.js';
import { WORKER_METRICS } from '../../src/work/worker/index.js';

const NOTICE =
  '<!-- Written from the code by `npm run docs`; a test fails when it is stale. Do not edit. -->';
const SHARED = ['--json', '--database-url', '--quiet', '--timeout'];

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`);
}

function leaves(command: Command, path: string): { command: Command; path: string }[] {
  const children = command.commands as Command[];
  if (children.length === 0) return [{ command, path }];
  return children.flatMap((child) => leaves(child, `${path} ${child.name()}`));
}

const isShared = (option: Option): boolean => SHARED.includes(option.long ?? '');

export function cliPage(): string {
  const all = leaves(buildProgram() as Command, 'gcos');
  const shared = all[0]?.command.options.filter(isShared) ?? [];
  const sections = all.flatMap(({ command, path }) => {
    const own = command.options.filter((option) => !isShared(option));
    return [
      '',
      `## \`${path}\``,
      '',
      `${command.description()}.`,
      ...(own.length === 0
        ? []
        : [
            '',
            ...table(
              ['flag', 'meaning'],
              own.map((option) => [`\`${option.flags}\``, option.description]),
            ),
          ]),
    ];
  });
  return [
    '# Commands',
    '',
    NOTICE,
    '',
    'Exit codes: 0 ok · 1 failure · 2 the claim is false, or blocked · 3 invalid input or configuration · 4 database or schema not usable.',
    'A command ended by Ctrl-C exits with 130, as shells expect.',
    '',
    'Every command takes these, before or after its name:',
    '',
    ...table(
      ['flag', 'meaning'],
      shared.map((option) => [`\`${option.flags}\``, option.description]),
    ),
    ...sections,
    '',
  ].join('\n');
}

export function configurationPage(): string {
  const rows = configurationOptions.map((option) => [
    `\`${option.name}\``,
    option.default === undefined ? '' : `\`${option.default}\``,
    option.about,
  ]);
  return [
    '# Configuration',
    '',
    NOTICE,
    '',
    'GCOS is configured by environment variables; flags win over them. Durations are written `500ms`, `30s`, `10m`, `2h`.',
    '',
    ...table(['variable', 'default', 'meaning'], rows),
    '',
    'Also respected: the libpq variables `PGHOST`, `PGPORT`, `PGDATABASE`, `PGUSER`, `PGPASSWORD` and `~/.pgpass`;',
    '`PGSSLMODE`, `PGSSLROOTCERT`, `PGSSLCERT`, `PGSSLKEY` and `SSL_CERT_FILE` ([TLS](../operations.md#tls-to-the-database)); `NO_COLOR`;',
    '`GCOS_DEBUG=1` prints the stack of an error. Settings that are data, such as the mapping of words onto what the host',
    'allows, live in the table `governance_setting`.',
    '',
  ].join('\n');
}

export function settingsPage(): string {
  const rows = settings.map((each) => [
    `\`${each.key}\``,
    `\`${typeText(each.form)}\``,
    `\`${JSON.stringify(each.default)}\``,
    each.about,
    CHANGED_BY[each.changedBy],
  ]);
  return [
    '# Settings',
    '',
    NOTICE,
    '',
    'Settings are data: rows of `governance_setting`. `gcos setting list` shows their values here, `gcos setting get KEY` one with its type',
    'and meaning, and `gcos setting set KEY VALUE` changes one as the person of the database login; the change is audited, and a link of the',
    'log. A setting of the ruleset changes the rules in the tables: they are in force once `gcos ruleset propose` is approved and activated.',
    'While no ruleset is in force, the tables are, and such a setting needs the login of a DBA, as those do that limit what others can do:',
    'a login that is mapped to a person and may update `governance_setting`.',
    '',
    ...table(['setting', 'type', 'default', 'meaning', 'changed by'], rows),
    '',
  ].join('\n');
}

export function errorsPage(): string {
  const all: ErrorKinds = { ...errorKinds, ...demoErrors.kinds, ...cliErrors.kinds };
  const rows = Object.entries(all)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([code, kind]) => [`\`${code}\``, String(kind.exit), kind.when, kind.help]);
  return [
    '# Errors',
    '',
    NOTICE,
    '',
    'An error is one line, ``code: message``, with help on the next. The code is stable; the message may change. With `--json` the same',
    'stands in an object `{"error": {"code", "message", "help"}}` on stdout. Nothing is left half written by a command that fails.',
    '',
    ...table(['code', 'exit', 'when', 'what to do'], rows),
    '',
  ].join('\n');
}

function metricRows(declarations: MetricDeclarations): string[] {
  const rows = Object.entries(declarations).map(([name, { type, help, labels = {}, buckets }]) => [
    `\`${name}\``,
    buckets === undefined ? type : `${type}: ${buckets.join(', ')}`,
    help,
    Object.entries(labels)
      .map(([label, values]) => `\`${label}\`: ${typeof values === 'string' ? values : values.join(', ')}`)
      .join('; '),
  ]);
  return table(['metric', 'type', 'meaning', 'labels'], rows);
}

export function metricsPage(): string {
  return [
    '# Metrics',
    '',
    NOTICE,
    '',
    '`/metrics` has the text format of Prometheus. Every metric and every value of a label is declared: another value is exposed as',
    '`other`, so no label grows without a limit. A value that is not known has no sample: absent is not zero. A dashboard for Grafana is',
    'in `examples/grafana/gcos.json`.',
    '',
    '## Of a worker',
    '',
    'Of `gcos worker run` and `gcos up --stay`. The numbers from the database are of one snapshot. Without the database, a worker exposes',
    'what it knows itself, and `gcos_database_up` is 0.',
    '',
    ...metricRows(WORKER_METRICS),
    '',
    '## Of the server',
    '',
    'Of `gcos serve`. They are of this process alone, and need no database.',
    '',
    ...metricRows(SERVER_METRICS),
    '',
  ].join('\n');
}

const ACCESS = {
  read: 'reads',
  append: 'appends',
  prune: 'appends, and deletes old rows of its own',
  write: 'appends, and changes rows of its own',
  never: 'reads, and proves that it is unchanged',
} as const;

export function hostContractPage(): string {
  const rows = hostContract.map((each) => [
    `\`${each.name}\``,
    each.required ? 'yes' : 'no',
    ACCESS[each.access],
    each.columns.map(({ name, type }) => `${name} ${type}`).join(', '),
    each.without,
  ]);
  return [
    '# The host contract',
    '',
    NOTICE,
    '',
    'The tables that GCOS uses in the database it lives in, and the columns it relies on. A type is a family: text stands for varchar, too, and',
    'integer for bigint and numeric; "any" is not compared. Further columns do not matter. `gcos doctor` compares a database with this page. A database that has none of',
    'these tables becomes a home with `gcos init --with host`, which creates all of them, empty ([sources](../sources.md)).',
    '',
    ...table(['table', 'required', 'GCOS', 'columns', 'without it'], rows),
    '',
  ].join('\n');
}
