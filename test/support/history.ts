// Random histories of an estate as data: changes by the host, acts of people, runs of GCOS, expiries, and
// crashes. The same
// steps have the same effects, so that a failed history can be shortened and kept.
import fc from 'fast-check';
import pg from 'pg';
import { isConnectionLoss } from '../../src/db/index.js';
import type { Gcos } from '../../src/index.js';
import { hasCode } from '../../src/kernel/index.js';
import { asHost } from './database.js';
import { FORCED_REBASES } from './lost-changes.js';
import { keepRulesInForce } from './ruleset-in-force.js';

/** Containers, classes whose objects count individually, and an unregistered collection. */
const COLLECTIONS = [
  'orders',
  'dot_tools',
  'publishing_jobs',
  'articles',
  'policy_registry',
  'tickets',
  'user_drafts',
  'governance_docs',
  'partner_feed_items',
  'nobody_knows',
];
export const SCOPES = ['policy', 'health', 'execution', 'render', 'approval', 'audit'];
const OWNERS = ['GOV-COUNCIL', 'GOV-SIV', 'GOV-DOT', 'GOV-MOUT', 'GOV-NOBODY'];
const STATUSES = ['retired', 'born', 'superseded', 'active'];

/** The element of `list` that `n` selects. */
export const from = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
const collection = (n: number) => from(COLLECTIONS, n);
/** SQL for the id of one birth of a collection; `n` selects both. */
const birth = (n: number) =>
  `(select id from birth_registry where collection_name = '${collection(n)}' order by md5(entity_code || '${n}'), id limit 1)`;
const owned = (n: number) =>
  `(select id from governance_object_ownership where lifecycle_status = 'active' order by md5(id || '${n}') limit 1)`;
const tool = (n: number) => `(select dot_code from dot_tools order by md5(dot_code || '${n}') limit 1)`;
const profile = (n: number) =>
  `(select profile_code from coverage_profile order by md5(profile_code || '${n}') limit 1)`;

/** Ends the effect of one of the forced rebases, which makes every round with two births a rebase. */
const LARGE_ROUNDS = `update governance_setting set setting_value = setting_value || '{"rebase_rows": 100000}' where setting_key = 'tail.limits'`;

type Host = (n: number, at: number) => string | readonly string[];
/** Changes by the host. `n` selects the row, `at` is the position in the history. */
const HOST = {
  born: (n, at) =>
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role)
     select 'H-${at}-' || g, b.collection_name, b.species_code, b.composition_level, b.dot_origin, b.governance_role
     from birth_registry b, generate_series(0, ${n % 4}) g where b.id = ${birth(n)}`,
  bornBare: (n, at) =>
    `insert into birth_registry (entity_code, collection_name, status) values ('B-${at}', '${collection(n)}', 'born')`,
  // Only for classes whose objects count individually. In a container, the second birth of a key gets a row
  // only when a closing run reads all keys: the tail reads new ids and does not look up births by key.
  bornTwice: (n) =>
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role)
     select entity_code, collection_name, species_code, composition_level, dot_origin, governance_role
     from birth_registry where id = ${birth(1 + 3 * (n % 2))}`,
  changed: (n) =>
    `update birth_registry set certified = not coalesce(certified, false) where id = ${birth(n)}`,
  status: (n) => `update birth_registry set status = '${from(STATUSES, n)}' where id = ${birth(n >> 2)}`,
  moved: (n) => `update birth_registry set collection_name = '${collection(n >> 4)}' where id = ${birth(n)}`,
  // A species of its own class, of none, or missing: the birth may become malformed, or belong to another
  // class.
  species: (n) =>
    `update birth_registry set species_code = ${from(['null', `'SP-NONE'`, '(select min(species_code) from birth_registry s where s.collection_name = birth_registry.collection_name)'], n)} where id = ${birth(n >> 2)}`,
  // In containers whose contract requires the field.
  malformed: (n) =>
    `update birth_registry set governance_role = ${from(['null', `''`, `'governed'`], n >> 1)} where id = ${birth(3 * (n % 2))}`,
  origin: (n) =>
    `update birth_registry set dot_origin = ${from([`'unheard of'`, 'null', `'DOT-001'`, `'DOT-213'`], n)} where id = ${birth(n >> 2)}`,
  deleted: (n) => `delete from birth_registry where id = ${birth(n)}`,
  deletedMany: (n) =>
    `delete from birth_registry where collection_name = '${collection(n)}' and md5(entity_code) < '${(n % 7) + 1}'`,
  owner: (n) =>
    `update governance_object_ownership set owner_gov_code = '${from(OWNERS, n)}' where id = ${owned(n)}`,
  ownerEnds: (n) =>
    `update governance_object_ownership set lifecycle_status = 'revoked', effective_to = greatest(now(), effective_from + interval '1 second') where id = ${owned(n)}`,
  ownerMore: (n) =>
    `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code)
     values ('collection', '${collection(n)}', '${from(SCOPES, n >> 2)}', 'accountable', '${from(OWNERS, n >> 4)}')`,
  ownerGone: (n) =>
    `delete from governance_object_ownership o where o.id = ${owned(n)} and not exists (select from governance_object_ownership s where s.supersedes_id = o.id)`,
  reference: (n) =>
    `update governance_object_ownership set ${from(['approval_ref', 'audit_ref', 'rollback_ref', 'source_law_ref', 'source_design_ref'], n)} = ${from(['null', `'nowhere'`, `'GD-010'`], n >> 3)} where id = ${owned(n)}`,
  tool: (n) =>
    `update dot_tools set ${from([`status = 'retired'`, `status = 'active'`, 'authority_ref = null', `authority_ref = 'GOV-DOT'`, 'rollback_ref = null', 'law_ref = null'], n)} where dot_code = ${tool(n)}`,
  // Tools that execute other objects or are the origin of their births.
  executor: (n) =>
    `update dot_tools set authority_ref = ${from([`'GOV-DOT'`, 'null'], n)} where dot_code = '${from(['DOT-213', 'DOT-001', 'DOT-214'], n >> 1)}'`,
  toolMore: (_, at) => `insert into dot_tools (dot_code, name, tier) values ('DOT-H${at}', 'made up', 'A')`,
  toolGone: (n) => `delete from dot_tools where dot_code = ${tool(n)}`,
  inScope: (n) =>
    `update collection_registry set coverage_scope_status = '${from(['IN_SCOPE', 'FUTURE_SCOPE', 'USER_EXCLUDED'], n)}' where collection_name = '${collection(n >> 2)}'`,
  // Not the council: it owns the rules, and without it no ruleset can become active.
  body: (n) =>
    `update governance_registry set status = '${from(['dormant', 'active'], n)}' where code = '${from(OWNERS.slice(1), n >> 1)}'`,
  approval: (n) =>
    `update approval_requests set status = '${from(['rejected', 'approved', 'pending'], n)}' where action_code not like 'gcos.%' and id = ${n % 40}`,
  // A change outside the declared path is a finding about one object; resolved in the log, it is none.
  bypassed: (n) =>
    `insert into registry_changelog (entity_type, entity_code, action, "timestamp", alert_level, resolved, changed_by)
     select i.object_class, b.entity_code, 'direct_update', now(), 'critical', false, 'postgres'
     from birth_registry b join governance_inventory i on i.source_registry = b.collection_name
     where b.id = ${birth(n)} order by i.inventory_key limit 1`,
  bypassEnds: (n) =>
    `update registry_changelog set resolved = true where id = (
       select id from registry_changelog where action = 'direct_update' and not resolved order by md5(id || '${n}') limit 1)`,
  axis: (n) =>
    `update axis_registry set status = '${from(['retired', 'active'], n)}' where axis_code = (select axis_code from axis_registry order by md5(axis_code || '${n}') limit 1)`,
} satisfies Record<string, Host>;
/**
 * Makes the tail read the whole table again: a rewrite, or what GCOS stores about the server and its horizon
 * no longer holds, or its limits are small.
 */
const REBASE = {
  // The table gets other files; only the last one also gives every row a new version.
  rewritten: (n) =>
    from(
      [
        'vacuum full birth_registry',
        'cluster birth_registry using birth_registry_pkey',
        `alter table birth_registry alter column canonical_address type text using canonical_address || ''`,
      ],
      n,
    ),
  rebased: (n) => from([...Object.values(FORCED_REBASES), LARGE_ROUNDS], n),
  // A change that no round reads before the tail reads the whole table again.
  lost: (n) => [
    from([HOST.malformed, HOST.species, HOST.origin, HOST.moved, HOST.status, HOST.deleted], n)(n >> 2),
    from(Object.values(FORCED_REBASES), n >> 1),
  ],
} satisfies Record<string, Host>;
const RULE = {
  ttl: (n) =>
    `update coverage_profile set ttl = interval '${1 + (n % 9)} days' where profile_code = ${profile(n)}`,
  links: (n) =>
    `update coverage_profile set required_links = required_links || jsonb_build_object('${from(SCOPES, n)}', jsonb_build_array('owner', '${from(['approval', 'audit', 'rollback', 'law_ref'], n >> 3)}')) where profile_code = ${profile(n)}`,
  risk: (n) =>
    `update coverage_profile set risk_class = '${from(['write_high', 'read', 'descriptive'], n)}' where profile_code = ${profile(n)}`,
} satisfies Record<string, Host>;
const EXPIRY = {
  expired: (n) =>
    `update ${n % 2 === 0 ? 'governance_candidate_state' : 'governance_candidate_object'} set stale_after = now() - interval '1 minute'
     where row_state = 'active' and md5(row_id || '${n}') < '1'`,
} satisfies Record<string, Host>;

type PersonAct = (gcos: Gcos, url: string, n: number) => Promise<unknown>;
/** The object of one birth; undefined if the collection has none. */
async function objectOf(url: string, n: number) {
  const [row] = await asHost(
    url,
    `select collection_name, entity_code from birth_registry where id = ${birth(n)}`,
  );
  return row && { collection: String(row['collection_name']), code: String(row['entity_code']) };
}
/** Acts of people: exceptions for single objects, and questions to the gate. */
const PEOPLE = {
  excepted: async (gcos, url, n) => {
    const object = await objectOf(url, n);
    if (object === undefined) return;
    try {
      const { exception } = await gcos.exceptions.request(
        { subject: { kind: 'object', ...object }, scope: from(SCOPES, n >> 2), seconds: 86_400 },
        { reason: 'a step of a history', as: 'member-1' },
      );
      if (exception.status === 'waiting')
        await gcos.requests.approve(exception.approvalRef ?? '', { as: 'president' });
    } catch (error) {
      // Nothing of it is relevant in the scope.
      if (!hasCode(error, 'exception_subject_unknown')) throw error;
    }
  },
  exceptionEnds: async (gcos, _, n) => {
    const found = await gcos.exceptions.list({ status: 'in_force' });
    if (found.length > 0)
      await gcos.exceptions.revoke(from(found, n).code, { reason: 'a step of a history', as: 'member-1' });
  },
  // Also members of containers that can change much.
  asked: async (gcos, url, n) => {
    const [row] = await asHost(
      url,
      `select collection_name, entity_code from birth_registry
       where collection_name in ('contracts', 'invoices', 'orders', 'dot_tools') order by md5(entity_code || '${n}'), id limit 1`,
    );
    if (row !== undefined)
      await gcos.gates.check(
        [{ collection: String(row['collection_name']), code: String(row['entity_code']) }],
        { deadlineMs: 20_000 },
      );
  },
} satisfies Record<string, PersonAct>;

type Act = (gcos: Gcos) => Promise<unknown>;
/** Runs of GCOS; a `crash` step kills one of them. */
const GCOS = {
  intake: (gcos) => gcos.intakes.once(),
  event: (gcos) => gcos.scans.run({ mode: 'event' }),
  incremental: (gcos) => gcos.scans.run({ mode: 'incremental' }),
} satisfies Record<string, Act>;
const ACTS = ['intake', 'incremental', 'event'] as const;
/** Tables: a `crash` step kills the connection when it is about to write to one of them. */
const CRASH_TABLES = [
  'governance_candidate_state',
  'governance_verdict_history',
  'governance_finding_key',
  'governance_inventory',
  'gov_worker_cursor',
  'system_issues',
  'event_pending',
  'governance_candidate_object',
  'candidate_scan_run',
  'gov_intake_registry',
];

const SQL: Readonly<Record<string, Host>> = { ...HOST, ...REBASE, ...RULE, ...EXPIRY };
type StepKind =
  | keyof typeof HOST
  | keyof typeof REBASE
  | keyof typeof RULE
  | keyof typeof EXPIRY
  | keyof typeof PEOPLE
  | keyof typeof GCOS
  | 'crash'
  | 'approve';
export type Step = readonly [kind: StepKind, n: number];

const KINDS: ReadonlySet<unknown> = new Set([
  ...Object.keys(SQL),
  ...Object.keys(PEOPLE),
  ...Object.keys(GCOS),
  'crash',
  'approve',
]);
const isStep = (value: unknown): value is Step =>
  Array.isArray(value) && value.length === 2 && KINDS.has(value[0]) && Number.isInteger(value[1]);
export const isHistory = (value: unknown): value is Step[] => Array.isArray(value) && value.every(isStep);

/** Histories of at most `steps` steps, which fast-check generates and shortens. */
export function histories(steps: number): fc.Arbitrary<Step[]> {
  const of = (kinds: readonly string[]) => fc.constantFrom(...(kinds as StepKind[]));
  const kind = fc.oneof(
    { weight: 12, arbitrary: of(Object.keys(HOST)) },
    { weight: 3, arbitrary: of(Object.keys(REBASE)) },
    { weight: 2, arbitrary: of(Object.keys(RULE)) },
    { weight: 1, arbitrary: of(Object.keys(EXPIRY)) },
    { weight: 3, arbitrary: of(Object.keys(PEOPLE)) },
    { weight: 5, arbitrary: of(Object.keys(GCOS)) },
    { weight: 2, arbitrary: fc.constant<StepKind>('crash') },
    { weight: 1, arbitrary: fc.constant<StepKind>('approve') },
  );
  const step = fc.tuple(kind, fc.nat(999));
  return fc.array(step, { minLength: 1, maxLength: steps, size: 'max' });
}

/** Runs `act` and kills its backend when it is about to write to `table`; otherwise it completes. */
async function killAt(url: string, table: string, act: () => Promise<unknown>): Promise<'killed' | 'done'> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  let killed = false;
  try {
    await holder.query(`begin; lock table ${table} in share row exclusive mode`);
    let over = false;
    const running = act().then(
      () => undefined,
      (error: unknown) => error ?? new Error('failed'),
    );
    void running.then(() => {
      over = true;
    });
    while (!over && !killed) {
      const { rows } = await holder.query(
        `select pg_terminate_backend(l.pid) as ended from pg_locks l
         where not l.granted and l.locktype = 'relation' and l.relation = '${table}'::regclass
           and l.database = (select oid from pg_database where datname = current_database())`,
      );
      killed = rows.some((row) => row.ended === true);
    }
    await holder.query('rollback');
    const error = await running;
    if (error !== undefined && !(killed && isLoss(error))) throw error;
    return killed ? 'killed' : 'done';
  } finally {
    await holder.end();
  }
}

const isLoss = (error: unknown): boolean =>
  isConnectionLoss(error) || (error instanceof Error && error.cause !== undefined && isLoss(error.cause));

/** Runs `steps` in order. */
export async function live(url: string, gcos: Gcos, steps: readonly Step[]): Promise<void> {
  for (const [at, [kind, n]] of steps.entries()) {
    const sql = SQL[kind];
    if (sql !== undefined) for (const each of [sql(n, at)].flat()) await asHost(url, each);
    else if (kind === 'approve') await keepRulesInForce(gcos);
    else if (kind === 'crash') await killAt(url, from(CRASH_TABLES, n >> 2), () => GCOS[from(ACTS, n)](gcos));
    else if (kind in PEOPLE) await PEOPLE[kind as keyof typeof PEOPLE](gcos, url, n);
    else await GCOS[kind as keyof typeof GCOS](gcos);
  }
}
