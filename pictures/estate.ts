// The estate of the pictures: the demo estate after some days of work. People have decided on requests;
// exceptions and passes are in force, waiting and over; other rules wait for their approval; one birth could
// not be processed; and the worker runs.
import { inject } from 'vitest';
import type { Gcos } from '../src/index.js';
import { asHost, createDatabase } from '../test/support/database.js';
import { createEstate, type Estate, openAt } from '../test/support/estate.js';
import { createPeople, type People } from '../test/support/people.js';
import { setBirthsAside } from '../test/support/retry-rows.js';
import { until } from '../test/support/wait.js';
import { workOnce } from '../test/support/working.js';

const DAY_MS = 86_400_000;

export interface PicturedEstate {
  readonly estate: Estate;
  close(): Promise<void>;
}

/** Gives the demo's people logins of their own, so that how they are known is shown as it usually is. */
async function peopleOf(estate: Estate, people: People) {
  const logins: Record<string, Gcos> = {};
  for (const name of ['president', 'council-1', 'council-2', 'member-1', 'member-2']) {
    const { login, gcos } = await people.login(name);
    await asHost(
      estate.url,
      `update gcos_trust.governance_actor set login = '${login}' where person_ref = '${name}'`,
    );
    logins[name] = gcos;
  }
  return (name: string): Gcos => {
    const found = logins[name];
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };
}

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** Exceptions: one in force, one that ends soon, one that was revoked, and one that waits. */
async function grantExceptions(of: (name: string) => Gcos): Promise<void> {
  const codes: string[] = [];
  for (const [collection, scope, days, reason] of [
    ['tickets', 'execution', 45, 'The delegation is renewed at the end of the quarter.'],
    ['articles', 'health', 2, 'The monitor is being moved.'],
    ['articles', 'policy', 20, 'The law reference follows with the next release.'],
  ] as const) {
    const subject = { kind: 'collection', collection } as const;
    const terms = { subject, scope, link: 'owner', expiresAt: inDays(days) };
    const approvalRef = await of('member-1').exceptions.openRequest(terms, { reason });
    await of('president').requests.approve(approvalRef);
    codes.push(await of('member-1').exceptions.grant(terms, { reason, approvalRef }));
  }
  await of('president').exceptions.revoke(codes.at(-1) ?? '', { reason: 'The release is out.' });
  await of('member-2').exceptions.openRequest(
    {
      subject: { kind: 'collection', collection: 'articles' },
      scope: 'render',
      link: 'owner',
      expiresAt: inDays(30),
    },
    { reason: 'The owner changes next month.' },
  );
}

/** Passes: one in force, one that waits. */
async function requestPasses(of: (name: string) => Gcos): Promise<void> {
  const ask = (code: string, reason: string) =>
    of('member-1').breakGlass.request(
      {
        subject: { kind: 'object', collection: 'dot_tools', code },
        stage: 'prod',
        action: 'execute',
        minutes: 30,
      },
      { reason },
    );
  const { pass } = await ask('DOT-125', 'Incident 4711: the export must run tonight.');
  await of('president').requests.approve(pass.approvalRef);
  await ask('DOT-121', 'Incident 4712: the repair tool is blocked.');
}

/** What the gate was asked, by stage. */
async function askGate(gcos: Gcos): Promise<void> {
  const tools = ['DOT-117', 'DOT-118', 'DOT-119', 'DOT-120', 'DOT-121', 'DOT-122', 'DOT-125', 'DOT-213'];
  await gcos.gates.check(
    tools.map((code) => ({ collection: 'dot_tools', code, stage: 'prod', action: 'execute' }) as const),
  );
  for (const [collection, code] of [
    ['articles', 'A-99123'],
    ['dot_tools', 'DOT-117'],
  ] as const)
    await gcos.gates.check([{ collection, code, stage: 'design', action: 'write' }]);
}

/** Full scans, with their times moved back: one a day, the oldest first. */
async function scanForDays(estate: Estate, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await asHost(
      estate.url,
      `update birth_registry set status = status where id = (select min(id) from birth_registry)`,
    );
    await estate.gcos.scans.run({ mode: 'full' });
  }
  await asHost(
    estate.url,
    `with run as (select run_id, row_number() over (order by started_at desc) - 1 as back from candidate_scan_run)
     update candidate_scan_run r set started_at = r.started_at - run.back * interval '1 day' + run.back * interval '7 minutes',
       finished_at = r.finished_at - run.back * interval '1 day' + run.back * interval '7 minutes',
       ledger = case when r.ledger is null then null else jsonb_set(r.ledger, '{at}',
         to_jsonb(to_char((r.ledger ->> 'at')::timestamptz at time zone 'utc' - run.back * interval '1 day' + run.back * interval '7 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))) end
     from run where run.run_id = r.run_id and run.back > 0`,
  );
}

/** Some days of work. */
async function work(estate: Estate): Promise<void> {
  const people = createPeople(estate.url);
  const of = await peopleOf(estate, people);
  await scanForDays(estate, 4);
  await grantExceptions(of);
  await requestPasses(of);
  const { fixes } = await of('member-1').fixes.list({ limit: 2 });
  for (const { id } of fixes) await of('member-1').fixes.propose(id);
  await workOnce(estate.gcos);
  await askGate(estate.gcos);
  // Rules that other people changed in the tables, and that member-1 proposes.
  await asHost(
    estate.url,
    `update coverage_profile set required_links = required_links || '{"audit": ["owner", "audit"]}' where class_pattern = 'publishing_job'`,
  );
  await of('member-1').plans.propose();
  await asHost(
    estate.url,
    setBirthsAside('handoff', `id = (select max(id) - 40 from birth_registry)`, { dead: 'now()' }),
  );
  await people.close();
}

/** A name that vitest's watch mode finds again: it keeps the server. */
const TEMPLATE = 'pictured';

async function provideTemplate(): Promise<string> {
  const url = inject('serverUrl');
  const [found] = await asHost(url, `select from pg_database where datname = '${TEMPLATE}'`);
  if (found !== undefined) return TEMPLATE;
  const estate = await createEstate('scanned');
  await work(estate);
  await estate.gcos.close();
  await estate.db.close();
  await asHost(url, `alter database ${estate.name} rename to ${TEMPLATE}`);
  return TEMPLATE;
}

/** A copy of the estate, on which the worker runs. */
export async function openEstate(): Promise<PicturedEstate> {
  const database = await createDatabase({ template: await provideTemplate() });
  const gcos = await openAt(database.url);
  const ending = new AbortController();
  const worker = gcos.worker.run({ signal: ending.signal, log: () => undefined });
  await until('every duty works', async () =>
    (await gcos.worker.status()).duties.every(({ state }) => state === 'working'),
  );
  return {
    estate: { ...database, gcos },
    async close() {
      ending.abort();
      await worker;
      await gcos.close();
      await database.close();
    },
  };
}
