// One finding, one exception, one ownership change and one activation, from their cause to an inbox: by
// commands of people and rounds of the worker only. Nobody has subscribed to anything.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from './support/cli.js';
import { asHost } from './support/database.js';
import { createEstate, type Estate } from './support/estate.js';
import { evidence } from './support/evidence.js';
import { createPeople, type People, type Person } from './support/people.js';

let estate: Estate;
let people: People;
let workerUrl: string;
const persons: Record<string, Person> = {};

/** Runs a command as a person, and returns its JSON. */
async function gcos(as: string, ...args: string[]): Promise<Record<string, unknown>> {
  const url = persons[as]?.url ?? workerUrl;
  const { exit, stdout, stderr } = await runCli([...args, '--json'], {
    env: { DATABASE_URL: url, GCOS_STATEMENT_TIMEOUT: '60s' },
  });
  if (exit !== 0) throw new Error(`gcos ${args.join(' ')}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}
/** A round of the worker's duties. */
const work = (duties: string) => gcos('worker', 'worker', 'run', '--once', '--only', duties);
/** The unread notifications of a body, as `type about`. */
async function inbox(recipient: string): Promise<string[]> {
  const found = await gcos('reader', 'inbox', 'list', '--recipient', recipient, '--limit', '500');
  return (found['notifications'] as Record<string, unknown>[]).map(
    (each) => `${String(each['event_type'])} ${String(each['canonical_address'])}`,
  );
}
/** Reads everything, so that the next list shows only what is new. */
const readAll = (recipient: string) => gcos('reader', 'inbox', 'read', '--all', '--recipient', recipient);

beforeAll(async () => {
  estate = await createEstate('reconciled');
  people = createPeople(estate.url);
  workerUrl = (await people.login('worker', 'gcos_worker')).url;
  persons['reader'] = await people.person('reader', 'member');
  persons['proposer'] = await people.person('proposer', 'member');
  persons['president'] = await people.person('first', 'president');
  persons['second'] = await people.person('second', 'council');
  persons['third'] = await people.person('third', 'council');
  // Everything that the estate has held so far leaves in this window. None of it may hide what the test looks
  // for.
  await asHost(
    estate.url,
    `update governance_setting set setting_value = setting_value || '{"ceiling": 100000}' where setting_key = 'event.notification'`,
  );
  await gcos('reader', 'event', 'activate', '*');
  await work('promoter');
});
afterAll(async () => {
  await people?.close();
  await estate?.close();
});

it('a change of owners reaches the old and the new owner', async () => {
  for (const body of ['GOV-SIV', 'GOV-DOT']) await readAll(body);
  // The host's own act.
  await asHost(
    estate.url,
    `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code)
     values ('dot_tool', 'DOT-118', 'health', 'accountable', 'GOV-SIV')`,
  );
  await work('intake');
  expect(await inbox('GOV-SIV')).toContain('owner.assigned dot_tools:DOT-118');
  await asHost(
    estate.url,
    `update governance_object_ownership set owner_gov_code = 'GOV-DOT' where object_ref = 'DOT-118' and scope = 'health'`,
  );
  await work('intake');
  expect(await inbox('GOV-SIV')).toContain('owner.revoked dot_tools:DOT-118');
  expect(await inbox('GOV-DOT')).toContain('owner.assigned dot_tools:DOT-118');
  evidence('owner.assigned and owner.revoked in the inboxes of GOV-SIV and GOV-DOT');
});

it('a finding reaches its owner when it opens and when it ends', async () => {
  const bodies = ['GOV-SIV', 'GOV-DOT', 'GOV-COUNCIL'];
  for (const body of bodies) await readAll(body);
  await asHost(
    estate.url,
    `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, effective_from, effective_to)
     values ('collection', 'orders', 'health', 'delegated', 'GOV-DOT', now() - interval '2 days', now() - interval '1 day')`,
  );
  await work('intake');
  await work('scanner');
  const found = await gcos('reader', 'finding', 'list', '--type', 'delegation_expired', '--limit', '100');
  const [finding] = (found['findings'] as Record<string, unknown>[]).filter((each) =>
    JSON.stringify(each).includes('orders'),
  );
  const route = String((finding?.['routes'] as string[] | undefined)?.[0]);
  expect(await inbox(route)).toContain('delegation.expired collection_registry:orders');
  await asHost(
    estate.url,
    `update governance_object_ownership set lifecycle_status = 'expired' where object_ref = 'orders' and scope = 'health' and owner_kind = 'delegated'`,
  );
  await work('intake');
  await work('scanner');
  expect(await inbox(route)).toContain('finding.resolved collection_registry:orders');
  evidence(`finding ${String(finding?.['code'])} in the inbox of ${route}`);
});

it('an exception reaches the owner of its subject', async () => {
  const requested = await gcos(
    ...(['proposer', 'exception', 'request', 'dot_tools', 'DOT-142'] as const),
    ...['--scope', 'execution', '--link', 'rollback', '--for', '30d', '--reason', 'it is being written'],
  );
  const { approval_ref: request, code } = requested['exception'] as Record<string, string>;
  await gcos('president', 'request', 'approve', String(request));
  await work('scanner');
  const [row] = await asHost(
    estate.url,
    `select safe_payload ->> 'owner' as owner from event_outbox where event_type = 'exception.granted' and safe_payload -> 'refs' ? 'governance_exception:${code}'`,
  );
  expect(await inbox(String(row?.['owner']))).toContain('exception.granted dot_tools:DOT-142');
  evidence(`exception ${code} in the inbox of ${String(row?.['owner'])}`);
});

it('an activation reaches the owner of the rules', async () => {
  await readAll('GOV-COUNCIL');
  await asHost(
    estate.url,
    `update coverage_profile set ttl = ttl + interval '1 second' where class_pattern = (select min(class_pattern) from coverage_profile)`,
  );
  const proposed = await gcos('proposer', 'ruleset', 'propose');
  const { code: request, plan } = proposed as { code: string; plan: { to: string } };
  for (const as of ['president', 'second', 'third']) await gcos(as, 'request', 'approve', request);
  const { to } = plan;
  await gcos('president', 'ruleset', 'activate', to, '--request', request);
  expect(await inbox('GOV-COUNCIL')).toContain(`ruleset.activated governance_ruleset:${to}`);
  evidence(`ruleset.activated ${to} in the inbox of GOV-COUNCIL`);
});
