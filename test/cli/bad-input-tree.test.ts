// Every command of the tree and every bad input of it: one clear line and help, the right exit code, nothing
// written, no SQLSTATE, no stack. docs/reference/bad-input.md is the table of what they print.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.js';
import { hostContract } from '../../src/host/index.js';
import { type BadInput, everyBadInput, type Known } from '../support/bad-values.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { runHere } from '../support/in-process.js';

interface Printed {
  readonly input: BadInput;
  readonly exit: number | null;
  readonly code: string;
  readonly message: string;
}

/** Answers about what does not exist, and inputs that no check can tell from good ones. */
const FREE: Readonly<Record<string, string>> = {
  'gcos explain <collection>': 'an object that is not known has an answer, `unknown`, with exit code 2',
  'gcos explain <code>': 'as above',
  'gcos explain --group': 'as above',
  'gcos gate check <collection>':
    'the gate blocks what is not known, with exit code 2, and records that it was asked',
  'gcos gate check <code>': 'as above',
  'gcos gate check --group': 'as above',
  'gcos db psql --command': 'SQL is for the server to judge; its message is shown as it is',
  'gcos db psql <args>': 'the arguments are those of psql',
  'gcos init --output': 'GCOS is installed here: there is nothing to write, wherever to',
  'gcos event types --after': 'any text is a place in the order of names',
  'gcos inbox subscriptions --after': 'as above',
  'gcos deadletter list --after': 'as above',
  'gcos webhook add <location>': 'an address may hold a secret, so no message repeats it',
  'gcos webhook add --secret': 'as above',
  'gcos webhook rotate --secret': 'as above',
  'gcos source add <name>': 'a new name',
  'gcos govern --name': 'a new name',
  'gcos person add <name>': 'a new name',
  'gcos person add --subject': 'any text is a subject; it comes with --issuer, whose bad values are tried',
  'gcos person map --subject': 'as above',
  'gcos serve --oidc-client-id':
    'any text; the four options come together, and bad values of the others are tried',
  'gcos serve --oidc-client-secret': 'as above',
  'gcos token create <name>': 'any text is a name',
  'gcos govern --config': 'a file to read, or with --baseline to begin; nothing is created before it is read',
};

let estate: Estate;
let digestSql: string;
const printed: Printed[] = [];
const problems: string[] = [];

/** A query for one digest of everything that a command of GCOS could write: a written row has a new xmin. */
async function prepareDigest(): Promise<string> {
  const written = hostContract.filter(({ access }) => access !== 'read' && access !== 'never');
  const tables = await asHost(
    estate.url,
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind = 'r' and (pg_get_userbyid(c.relowner) in ('gcos_owner', 'gcos_trust_owner')
       or c.relname in (${written.map(({ name }) => `'${name}'`).join(', ')}))`,
  );
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, sum(t.xmin::text::bigint) as written from ${name} t`,
  );
  return `select md5(string_agg(concat_ws(' ', name, rows, written), ' ' order by name)) as digest from (${parts.join(' union all ')}) d`;
}

async function known(): Promise<Known> {
  const { gcos } = estate;
  const [finding] = (await gcos.findings.list({ limit: 1 })).findings;
  const [snapshot] = (await gcos.snapshots.list({ limit: 1 })).snapshots;
  // Rules that are not in force: there is something to propose and to activate.
  await asHost(
    estate.url,
    `update governance_setting set setting_value = '90000' where setting_key = 'verdict.default_ttl_seconds'`,
  );
  const ruleset = await gcos.rulesets.draft();
  const [request] = await gcos.requests.list({ limit: 1 });
  const check = await gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-117' }]);
  const [input] = (await gcos.inputs.list({ limit: 1 })).inputs;
  const object = ['dot_tools', 'DOT-117'];
  const { version } = ruleset;
  const code = request?.code ?? '';
  const valid: Readonly<Record<string, readonly string[]>> = {
    'gcos pause': ['--reason', 'a test'],
    'gcos govern': ['postgresql://nobody@127.0.0.1:1/shop'],
    'gcos source add': ['assets', 'file', 'assets.csv', '--class', 'asset', '--code', 'id'],
    'gcos source remove': ['assets'],
    'gcos snapshot show': [String(snapshot?.id)],
    'gcos snapshot verify': [String(snapshot?.id)],
    'gcos snapshot diff': [String(snapshot?.id), String(snapshot?.id)],
    'gcos ruleset show': [version],
    'gcos ruleset verify': [version],
    'gcos ruleset diff': [version, version],
    'gcos ruleset activate': [version, '--request', code],
    'gcos intake replay': ['--from', '1'],
    'gcos explain': object,
    'gcos gate check': object,
    'gcos gate why': [String(check.id)],
    'gcos gate prune': ['--before', '2026-01-01'],
    'gcos gate break-glass': [...object, '--stage', 'prod', '--action', 'write', '--reason', 'a test'],
    'gcos input quarantine': [...object, '--reason', 'a test'],
    'gcos input release': [...object, '--reason', 'a test'],
    'gcos input trust': ['dot_tools'],
    'gcos finding show': [finding?.code ?? ''],
    'gcos finding propose': [finding?.code ?? ''],
    'gcos request show': [code],
    'gcos request approve': [code],
    'gcos request reject': [code, '--reason', 'a test'],
    'gcos request withdraw': [code],
    'gcos token create': ['a test', '--permission', 'read'],
    'gcos token revoke': ['000000000000'],
    'gcos person add': ['maria'],
    'gcos person map': ['operator'],
    'gcos person erase': ['operator'],
    'gcos exception request': [...object, '--scope', 'execution', '--reason', 'a test', '--for', '1d'],
    'gcos exception show': ['GEX-0001'],
    'gcos exception revoke': ['GEX-0001', '--reason', 'a test'],
    'gcos deadletter show': ['1'],
    'gcos event register': [
      'coverage.licence_gap',
      '--stream',
      'governance.coverage',
      '--severity',
      'low',
      '--description',
      'a test',
    ],
    'gcos setting get': ['scan.lag'],
    'gcos setting set': ['scan.lag', '{"seconds": 600, "groups": 1000}'],
    'gcos completion': ['bash'],
    'gcos inbox list': ['--recipient', 'operator'],
    'gcos inbox read': ['--recipient', 'operator'],
    'gcos inbox subscribe': ['--recipient', 'operator'],
    'gcos inbox unsubscribe': ['--recipient', 'operator'],
    'gcos inbox mute': ['--recipient', 'operator'],
    'gcos webhook add': ['https://example.com/', '--types', 'ledger.closed', '--format', 'slack'],
    'gcos webhook test': ['1'],
    'gcos webhook rotate': ['1', '--secret', 'env:HOME'],
    'gcos webhook remove': ['1', '--yes'],
  };
  expect(input?.key).toBeDefined();
  const trusting = ['--level', 'denied', '--collection', '--reason', 'a test'];
  const beside: Readonly<Record<string, readonly string[]>> = {
    'gcos input trust --scope': trusting,
    'gcos input trust --as': trusting,
    'gcos input trust --reason': ['--level', 'denied', '--collection'],
    'gcos gate break-glass --after': ['--list'],
    'gcos inbox read --recipient': ['--all'],
    'gcos deadletter retry --from': ['--all'],
  };
  return {
    valid: (command) => valid[command] ?? [],
    beside: (command, option) => beside[`${command} ${option}`] ?? [],
    alone: [
      'gcos gate check --file',
      'gcos gate break-glass --group',
      'gcos exception request --group',
      'gcos exception request --collection',
      'gcos exception request --class',
    ],
    free: FREE,
  };
}

const LINES = /^(\w+): ([^\n]+)\n {2}help: [^\n]+\n(?: {8}[^\n]+\n)*$/;

async function tryOne(input: BadInput): Promise<void> {
  const { exit, stdout, stderr } = await runHere(input.args, { DATABASE_URL: estate.url, PGHOST: undefined });
  const [, code = '', message = ''] = LINES.exec(stderr) ?? [];
  printed.push({ input, exit, code, message });
  const wrong = [
    ...(code === '' ? ['not one line and help'] : []),
    ...(exit === 3 ? [] : [`exit code ${exit}`]),
    ...(stdout === '' ? [] : ['something on stdout']),
    ...(/SQLSTATE|\n\s+at |node_modules|internal_error|database_error/.test(stderr)
      ? ['an internal message']
      : []),
    ...(input.value === undefined || message.includes(input.value.split(',').at(-1) ?? '')
      ? []
      : ['the message does not show the value']),
  ];
  if (wrong.length > 0)
    problems.push(`gcos ${input.args.join(' ')}: ${wrong.join(', ')}: ${stderr}${stdout.slice(0, 200)}`);
}

beforeAll(async () => {
  estate = await createEstate('scanned');
  const inputs = everyBadInput(buildProgram(), await known());
  digestSql = await prepareDigest();
  const read = async () => (await asHost(estate.url, digestSql))[0]?.['digest'];
  let digest = await read();
  for (const command of new Set(inputs.map((each) => each.command))) {
    for (const input of inputs.filter((each) => each.command === command)) await tryOne(input);
    const now = await read();
    if (now !== digest) problems.push(`${command}: something was written`);
    digest = now;
  }
});
afterAll(() => estate.close());

/** The inputs for which every command prints the same. */
function sharedInputs(): ReadonlySet<string> {
  const commands = new Set(printed.map(({ input }) => input.command)).size;
  const texts = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const { input, code, message } of printed) {
    texts.set(input.what, (texts.get(input.what) ?? new Set()).add(`${code} ${message}`));
    counts.set(input.what, (counts.get(input.what) ?? 0) + 1);
  }
  return new Set(
    [...texts].flatMap(([what, found]) => (found.size === 1 && counts.get(what) === commands ? [what] : [])),
  );
}

/** The table of every command, by its inputs. */
function page(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const stable = (text: string) =>
    text.replaceAll(/gov-rs-[0-9a-f]{12}/g, 'gov-rs-…').replaceAll(/GCOS-\d+/g, 'GCOS-…');
  const shared = sharedInputs();
  const table = (title: string, rows: readonly Printed[]) =>
    rows.length === 0
      ? []
      : [
          '',
          `## ${title}`,
          '',
          '| input | error | message |',
          '| --- | --- | --- |',
          ...rows.map(
            ({ input, code, message }) => `| ${cell(input.what)} | \`${code}\` | ${cell(stable(message))} |`,
          ),
        ];
  const commands = [...new Set(printed.map(({ input }) => input.command))];
  const of = (command: string | undefined) => printed.filter(({ input }) => input.command === command);
  const sections = [
    ...table(
      'Every command',
      of(commands[0]).filter(({ input }) => shared.has(input.what)),
    ),
    ...commands.flatMap((command) =>
      table(
        `\`${command}\``,
        of(command).filter(({ input }) => !shared.has(input.what)),
      ),
    ),
  ];
  return [
    '# Bad input',
    '',
    '<!-- Written from the code by `npm run docs`; a test fails when it is stale. Do not edit. -->',
    '',
    'What every command prints for a mistyped line, by a test that goes through the command tree. Each is one line, `code: message`,',
    'and help; the exit code is 3, and nothing is written. The help lists what exists where a name does not.',
    '',
    'Not in these tables:',
    '',
    ...Object.entries(FREE)
      .filter(([, why]) => why !== 'as above')
      .map(([what, why]) => `- \`${what}\`: ${why}.`),
    ...sections,
    '',
  ].join('\n');
}

describe('every command × bad input', () => {
  it('prints one clear line, exits with 3 and writes nothing', () => {
    expect(problems).toEqual([]);
    expect(printed.length).toBeGreaterThan(500);
  });

  it('is the table in docs/reference/bad-input.md', async () => {
    await expect(page()).toMatchFileSnapshot('../../docs/reference/bad-input.md');
  });
});
