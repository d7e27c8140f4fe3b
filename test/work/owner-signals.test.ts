// Signals about owners: what the intake sees in the registries of owners and axes, and what the clock does to
// terms. Each change is announced once, about the governed object, to the body concerned.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createIntake, type IntakeEstate } from '../support/intake.js';

let h: IntakeEstate;
let seen = 0;
beforeEach(async () => {
  h = await createIntake();
  // Delegations that ended before the intake began to watch are announced in its first round after that.
  await h.once();
  seen = 0;
  await announced();
});
afterEach(() => h?.close());

/** The signals about owners since the last call. */
async function announced(): Promise<string[]> {
  await h.once();
  const rows = await h.host(
    `select event_type_hint || ' ' || canonical_address || ' ' || (capture_payload #>> '{payload,owner}') as text
     from event_pending
     where event_domain = 'governance' and event_type_hint ~ '^(owner\\.(assigned|revoked)|authority|axis\\.owner_(assigned|revoked))'
     order by (capture_payload ->> 'order')::bigint`,
  );
  const texts = rows.map((row) => String(row['text'])).slice(seen);
  seen = rows.length;
  return texts;
}
const add = (values: string) =>
  h.host(
    `insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code, effective_from, effective_to)
     values ${values}`,
  );
const set = (what: string, where: string) =>
  h.host(
    `update governance_object_ownership set ${what} where object_ref = 'DOT-118' and scope = 'health' and ${where}`,
  );

it('announces owners assigned, replaced and revoked, once each, and no renewal', async () => {
  await add(`('dot_tool', 'DOT-118', 'health', 'accountable', 'GOV-SIV', now() - interval '1 day', null)`);
  expect(await announced()).toEqual(['owner.assigned dot_tools:DOT-118 GOV-SIV']);
  expect(await announced()).toEqual([]);
  await set(`audit_ref = 'registry_changelog/1'`, 'true');
  expect(await announced()).toEqual([]);
  await set(`owner_gov_code = 'GOV-DOT'`, 'true');
  expect(await announced()).toEqual([
    'owner.revoked dot_tools:DOT-118 GOV-SIV',
    'owner.assigned dot_tools:DOT-118 GOV-DOT',
  ]);
  // The row is superseded by one with the same owner: nobody was revoked.
  await set(`lifecycle_status = 'superseded'`, 'true');
  await add(`('dot_tool', 'DOT-118', 'health', 'accountable', 'GOV-DOT', now(), null)`);
  expect(await announced()).toEqual([]);
  await h.host(
    `delete from governance_object_ownership where object_ref = 'DOT-118' and scope = 'health' and lifecycle_status = 'active'`,
  );
  expect(await announced()).toEqual(['owner.revoked dot_tools:DOT-118 GOV-DOT']);
});

/** As if the last round had been two hours ago, and a term had begun or ended an hour ago. */
const rewind = () =>
  h.host(
    `update gov_worker_cursor set metadata = metadata || jsonb_build_object('terms',
       jsonb_build_object('until', now() - interval '2 hours', 'next', now() - interval '1 hour'))
     where worker = 'intake' and round = 'registries'`,
  );

it('announces delegations, their revocation, and terms that begin and end by the clock', async () => {
  await add(
    `('collection', 'orders', 'health', 'delegated', 'GOV-DOT', now() - interval '1 day', now() + interval '1 day'),
     ('dot_tool', 'DOT-118', 'health', 'delegated', 'GOV-SIV', now() - interval '1 day', now() - interval '1 hour')`,
  );
  expect(await announced()).toEqual([
    'authority.expired dot_tools:DOT-118 GOV-SIV',
    'authority.delegated collection_registry:orders GOV-DOT',
  ]);
  await h.host(
    `update governance_object_ownership set lifecycle_status = 'revoked' where object_ref = 'orders' and owner_kind = 'delegated'`,
  );
  expect(await announced()).toEqual(['authority.revoked collection_registry:orders GOV-DOT']);
  // The end of the delegation was announced: the clock adds nothing, nor does the row when it is closed.
  await rewind();
  expect(await announced()).toEqual([]);
  await set(`lifecycle_status = 'expired'`, `owner_kind = 'delegated'`);
  expect(await announced()).toEqual([]);

  // An owner whose term was over when the row appeared never answered for anything.
  await add(
    `('dot_tool', 'DOT-118', 'health', 'accountable', 'GOV-SIV', now() - interval '1 day', now() - interval '1 hour')`,
  );
  expect(await announced()).toEqual([]);
  await rewind();
  expect(await announced()).toEqual(['owner.revoked dot_tools:DOT-118 GOV-SIV']);
  await add(
    `('dot_tool', 'DOT-119', 'health', 'accountable', 'GOV-DOT', now() - interval '90 minutes', null)`,
  );
  expect(await announced()).toEqual(['owner.assigned dot_tools:DOT-119 GOV-DOT']);
  await rewind();
  expect(await announced()).toEqual(['owner.assigned dot_tools:DOT-119 GOV-DOT']);
  await rewind();
  expect(await announced()).toEqual([]);
});

it('announces the owners that axes get, change and lose', async () => {
  const own = (owner: string) =>
    h.host(
      `update axis_registry set owner_gov_code = ${owner} where axis_code = (select min(axis_code) from axis_registry)`,
    );
  const [axis] = await h.host(
    'select axis_code, owner_gov_code as owner from axis_registry order by 1 limit 1',
  );
  const at = `axis_registry:${axis?.['axis_code']}`;
  await own('null');
  expect(await announced()).toEqual(
    axis?.['owner'] === null ? [] : [`axis.owner_revoked ${at} ${axis?.['owner']}`],
  );
  await own(`'GOV-DOT'`);
  expect(await announced()).toEqual([`axis.owner_assigned ${at} GOV-DOT`]);
  await own(`'GOV-SIV'`);
  expect(await announced()).toEqual([
    `axis.owner_revoked ${at} GOV-DOT`,
    `axis.owner_assigned ${at} GOV-SIV`,
  ]);
  expect(await announced()).toEqual([]);
});
