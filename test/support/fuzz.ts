// Calls every function that a login may call with random and hostile arguments, as that login, and compares
// what it left with what it may leave. The functions come from the catalog, so a new one is attacked from its
// first day.
import pg from 'pg';
import type { GateQuestion } from '../../src/answer/gate/index.js';
import { asHost, urlAs } from './database.js';
import type { Estate } from './estate.js';
import { Arguments, type Callable, randomFrom, readPool } from './fuzz-arguments.js';
import type { People } from './people.js';

/** A marker in rows that no error message may contain. */
const SECRET = 'sesame-9d41';

export interface FuzzReport {
  readonly calls: number;
  readonly succeeded: number;
  /** Errors that no client may see: internal ones, ones that leak, ones that are not expected. */
  readonly badErrors: readonly string[];
  /** Rows of trust that appeared, changed or vanished, though no function may do that. */
  readonly trustChanges: readonly string[];
  /** How many recorded answers that allow were compared. */
  readonly allows: number;
  /** Recorded answers of the gate that an evaluation from nothing contradicts. */
  readonly wrongAllows: readonly string[];
}

interface Attacker {
  readonly role: string;
  readonly client: pg.Client;
  readonly functions: readonly Callable[];
}

/** Classes of errors that say what was wrong with the call, and the refusals that GCOS declares. */
const EXPECTED = /^(2[0-9A-Z]{4}|42501|UG\d{3}|40001|40P01|55P03|55000|57014|54000|54001|0A000|P0001)$/;
const LEAKS = [/only-for-this-test/, /postgres(ql)?:\/\//, /\n\s+at /, /node_modules/, new RegExp(SECRET)];

/** What is wrong with an error that a client sees; undefined if it may see it. */
function badError(call: string, error: pg.DatabaseError): string | undefined {
  const text = [error.message, error.detail, error.hint, error.where]
    .filter((part) => part !== undefined)
    .join('\n');
  const leak = LEAKS.find((pattern) => pattern.test(text));
  if (leak !== undefined) return `${call}: leaks ${leak}: ${text.slice(0, 300)}`;
  if (error.code === undefined || !EXPECTED.test(error.code) || /^(XX|F0|58|53)/.test(error.code))
    return `${call}: ${error.code} ${error.message.slice(0, 300)}`;
  return undefined;
}

async function attackerOf(url: string, role: string): Promise<Attacker> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "set statement_timeout = '5s'; set lock_timeout = '1s'; set idle_in_transaction_session_timeout = '10s'",
  );
  const { rows } = await client.query<Callable>(
    `select p.proname::text as name,
       coalesce((select jsonb_agg(jsonb_build_object('name', coalesce(p.proargnames[a.place], ''), 'type', format_type(a.type, null)) order by a.place)
         from unnest(p.proargtypes::oid[]) with ordinality as a(type, place)), '[]') as args
     from pg_proc p
     where p.pronamespace = 'gcos_trust'::regnamespace and has_function_privilege(p.oid, 'execute')
     order by p.oid::regprocedure::text`,
  );
  return { role, client, functions: rows };
}

/** Tables of trust in which a call may leave rows of its own; everywhere else a row needs an approval. */
const MAY_APPEND =
  /^(governance_(request|decision|action_type|gate_answer|ruleset)|\w*log\w*|\w*seal\w*|\w*pause\w*|\w*prun\w*)$/;

async function trustRows(url: string): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const tables = await asHost(
    url,
    "select relname::text as name from pg_class where relnamespace = 'gcos_trust'::regnamespace and relkind = 'r' order by 1",
  );
  const found = new Map<string, Map<string, string>>();
  for (const { name } of tables) {
    const rows = await asHost(
      url,
      `select md5(to_jsonb(t)::text) as hash, left(to_jsonb(t)::text, 300) as row from gcos_trust.${name} t`,
    );
    found.set(String(name), new Map(rows.map((row) => [String(row['hash']), String(row['row'])])));
  }
  return found;
}

/** Rows that appeared, changed or vanished between two readings, and must not have. */
function compareTrust(
  before: ReadonlyMap<string, ReadonlyMap<string, string>>,
  after: ReadonlyMap<string, ReadonlyMap<string, string>>,
  logins: readonly string[],
): string[] {
  const changes: string[] = [];
  for (const [table, rows] of after) {
    const former = before.get(table) ?? new Map<string, string>();
    // A pause is an act of a person and is written as a setting; the pruner removes old answers of the gate;
    // the head of the log moves.
    const isPause = (row: string) => table === 'governance_setting' && /paus/.test(row);
    for (const [hash, row] of former)
      if (!rows.has(hash) && !isPause(row) && !/^(governance_gate_answer|\w*log_head)$/.test(table))
        changes.push(`${table}: lost or changed ${row}`);
    for (const [hash, row] of rows) {
      if (former.has(hash) || isPause(row)) continue;
      if (!MAY_APPEND.test(table)) changes.push(`${table}: appeared ${row}`);
      else if (table === 'governance_ruleset' && !/"status": "draft"/.test(row))
        changes.push(`${table}: appeared ${row}`);
      else if (
        /^governance_(request|decision)$/.test(table) &&
        !logins.some((login) => row.includes(`"${login}"`))
      )
        changes.push(`${table}: appeared ${row}`);
    }
  }
  return changes;
}

export interface FuzzOptions {
  readonly estate: Estate;
  readonly people: People;
  readonly seed: number;
  /** Whether to make another call after this number. */
  readonly goOn: (calls: number) => boolean;
}

/** Attacks the estate, which must have been scanned. People of the council and presidents take no part. */
export async function fuzz({ estate, people, seed, goOn }: FuzzOptions): Promise<FuzzReport> {
  const { url, gcos } = estate;
  const random = randomFrom(seed);
  const member = await people.person('fuzz-member', 'member');
  const other = await people.person('fuzz-other', 'member');
  const stranger = await people.login('fuzz-stranger');
  await asHost(
    url,
    `update system_issues set description = '${SECRET}' where id in (select id from system_issues limit 50)`,
  ).catch(() => undefined);
  await member.gcos.requests.open('gcos.remediation.propose', { secret_note: SECRET });
  const subjects = (
    await asHost(
      url,
      `(select b.collection_name, b.entity_code from birth_registry b where b.collection_name = 'dot_tools'
         and b.entity_code in (select i.entity_code from system_issues i where i.source_system = 'gcos' and i.status = 'open') limit 60)
       union all (select collection_name, entity_code from birth_registry order by md5(id::text) limit 30)`,
    )
  ).map((row) => ({ collection: String(row['collection_name']), code: String(row['entity_code']) }));
  const values = new Arguments(random, await readPool(url), subjects);
  const attackers: Attacker[] = [];
  for (const [role, own] of [
    ['member', member.url],
    ['other member', other.url],
    ['unmapped', stranger.url],
    ['server', urlAs(url, 'server')],
    ['reader', urlAs(url, 'reader')],
    ['pruner', urlAs(url, 'pruner')],
    ['worker', urlAs(url, 'worker')],
  ] as const)
    attackers.push(await attackerOf(own, role));
  await asHost(
    url,
    `create schema kept;
     create table kept.governance_input_state as table governance_input_state;
     create table kept.governance_input_trust as table governance_input_trust;
     create table kept.governance_setting as table governance_setting`,
  );
  const logins = [
    member.login,
    other.login,
    stranger.login,
    'gcos_worker',
    'gcos_server',
    'gcos_reader',
    'gcos_pruner',
  ];
  const before = await trustRows(url);
  const [first] = await asHost(
    url,
    'select coalesce(max(check_id), 0) as id from gcos_trust.governance_gate_answer',
  );
  const badErrors: string[] = [];
  let calls = 0;
  let succeeded = 0;
  /** The worker is trusted with verdicts and findings, so the gate is compared before it takes part. */
  const round = async (attacker: Attacker) => {
    // The gate is what most attacks aim at.
    const gate = attacker.functions.filter((each) => each.name === 'gcos_gate_check');
    const fn = values.pick(gate.length > 0 && values.chance(0.2) ? gate : attacker.functions);
    const parameters = values.of(fn);
    const casts = fn.args.map((arg, index) => `$${index + 1}::${arg.type}`).join(', ');
    const call = `${attacker.role}: ${fn.name}(${parameters
      .map((each) => String(each).slice(0, 40))
      .join(', ')
      .slice(0, 200)})`;
    calls += 1;
    try {
      await attacker.client.query(`select * from gcos_trust.${fn.name}(${casts})`, parameters);
      succeeded += 1;
    } catch (error) {
      const problem = badError(call, error as pg.DatabaseError);
      if (problem !== undefined) badErrors.push(problem);
    }
  };
  const persons = attackers.filter((each) => each.role !== 'worker');
  const worker = attackers.filter((each) => each.role === 'worker');
  const wrongAllows: string[] = [];
  let allows = 0;
  const trustChanges: string[] = [];
  let scanned = before;
  try {
    while (goOn(calls)) await round(values.pick(persons));
    const allowed = await asHost(
      url,
      `select distinct a.collection_name, c.code, a.stage, a.action from gcos_trust.governance_gate_answer a, unnest(a.entity_codes) as c(code)
       where a.check_id > ${first?.['id']} and a.answer <> 'block' and a.pass_code is null and a.collection_name is not null`,
    );
    allows = allowed.length;
    // What people may tighten without an approval would block afterwards: undo it, then evaluate from
    // nothing.
    trustChanges.push(...compareTrust(before, await trustRows(url), logins));
    await asHost(
      url,
      `truncate governance_input_state, governance_input_trust;
       insert into governance_input_state select * from kept.governance_input_state;
       insert into governance_input_trust select * from kept.governance_input_trust;
       update governance_setting s set setting_value = k.setting_value from kept.governance_setting k
       where k.setting_key = s.setting_key and s.setting_value is distinct from k.setting_value`,
    );
    await gcos.scans.run({ mode: 'full' });
    for (const row of allowed) {
      const subject = { collection: String(row['collection_name']), code: String(row['code']) };
      const question = { ...subject, stage: row['stage'], action: row['action'] } as GateQuestion;
      const [decision] = (await gcos.gates.check([question])).decisions;
      if (decision?.answer === 'block') wrongAllows.push(JSON.stringify(row));
    }
    // The evaluation itself wrote: compare the worker with what it found.
    scanned = await trustRows(url);
    const calledByPeople = calls;
    while (goOn(calls - Math.floor(calledByPeople / 2))) for (const attacker of worker) await round(attacker);
  } finally {
    for (const { client } of attackers) await client.end();
  }
  trustChanges.push(...compareTrust(scanned, await trustRows(url), logins));
  return { calls, succeeded, badErrors, trustChanges, allows, wrongAllows };
}
