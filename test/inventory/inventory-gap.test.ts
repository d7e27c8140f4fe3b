// Findings about sources of births that are not in order: other members than the catalogue counts, and open
// decisions. Each goes to the body that can put it in order.
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { estate, useSnapshots } from '../support/snapshots.js';

useSnapshots();

const host = (text: string) => asHost(estate.url, text);
const capture = () => estate.gcos.snapshots.capture({ kind: 'full' });
/** The gaps of one root cause, with severity and recipients. */
const gaps = async (rootCause: string, status = 'open') =>
  host(
    `select k.subject, k.severity, k.routes, i.evidence_snapshot::jsonb -> 'facts' as facts
     from governance_finding_key k join system_issues i on i.id = k.issue_id
     where k.finding_type = 'backfill_inventory_gap' and k.coalesce_key like '%:${rootCause}' and i.status = '${status}' order by 1`,
  );

describe('the number of members that the catalogue counts', () => {
  it('is compared with births and registry, tolerates what the setting says, and agrees again', async () => {
    await capture();
    expect(await gaps('record_count')).toEqual([]);
    await host(
      "update meta_catalog set record_count = record_count * 2 + 500 where entity_type in ('article', 'dot_tool')",
    );
    await capture();
    expect(await gaps('record_count')).toMatchObject([
      { subject: 'articles', severity: 'medium', facts: { births: expect.anything() } },
      {
        subject: 'dot_tools',
        severity: 'high',
        facts: { births: '308', members: '309', record_count: '1114' },
      },
    ]);
    await host(
      `update governance_setting set setting_value = '{"share": 0.8, "rows": 10}' where setting_key = 'inventory.count_tolerance'`,
    );
    await capture();
    expect(await gaps('record_count')).toEqual([]);
    expect(await gaps('record_count', 'resolved')).toHaveLength(2);
    await host("delete from governance_setting where setting_key = 'inventory.count_tolerance'");
    await capture();
    expect(await gaps('record_count')).toHaveLength(2);
    // Zero is the default of the column: the host does not count.
    await host("update meta_catalog set record_count = 0 where entity_type in ('article', 'dot_tool')");
    await capture();
    expect(await gaps('record_count')).toEqual([]);
  });

  it('is a matter of the owner of the source, and of the council if it has none', async () => {
    const [owner] = await host(
      `select owner_gov_code as owner from governance_object_ownership
       where object_ref = 'articles' and object_type = 'collection' and owner_kind = 'accountable' and lifecycle_status = 'active'
       group by 1 order by count(*) desc, 1 limit 1`,
    );
    await host(
      "update meta_catalog set record_count = 999999 where collection_name in ('articles', 'venues')",
    );
    await capture();
    expect((await gaps('record_count')).map((row) => [row['subject'], row['routes']])).toEqual([
      ['articles', [owner?.['owner']]],
      ['venues', ['GOV-COUNCIL']],
    ]);
  });
});

describe('an open decision about a collection with births', () => {
  const decide = (status: string, owner: string | null) =>
    host(
      `update collection_registry set coverage_status = '${status}', coverage_scope_status = 'IN_SCOPE',
         coverage_exemption_reason = 'the vendor has not answered', coverage_review_owner = ${owner === null ? 'null' : `'${owner}'`}
       where collection_name = 'orders'`,
    );
  const ofOrders = async () => (await gaps('decision_open')).find((row) => row['subject'] === 'orders');

  it('is a question to the body that reviews it, if it is one, else to the council, until it is decided', async () => {
    await capture();
    expect(await ofOrders()).toBeUndefined();
    await decide('BIRTH_DEFERRED_NEEDS_REVIEW', 'GOV-KG-SYS');
    await capture();
    expect(await ofOrders()).toMatchObject({
      routes: ['GOV-KG-SYS'],
      facts: { review_owner: 'GOV-KG-SYS', reason: 'the vendor has not answered' },
    });
    await decide('BIRTH_REQUIRED', null);
    await capture();
    expect(await ofOrders()).toBeUndefined();
    await decide('BIRTH_DEFERRED_NEEDS_REVIEW', 'somebody');
    await capture();
    expect(await ofOrders()).toMatchObject({ routes: ['GOV-COUNCIL'] });
  });

  it('is explained with its reason and its reviewer, and so is an exemption', async () => {
    await decide('BIRTH_DEFERRED_NEEDS_REVIEW', 'GOV-KG-SYS');
    const [order] = await host(
      "select entity_code as code from birth_registry where collection_name = 'orders' order by id limit 1",
    );
    const explained = await runCli([
      'explain',
      'orders',
      String(order?.['code']),
      '--database-url',
      estate.url,
    ]);
    expect(explained.stdout).toContain(
      'collection orders is BIRTH_DEFERRED_NEEDS_REVIEW, IN_SCOPE: the decision is open, because of the vendor has not answered; GOV-KG-SYS reviews it',
    );
    await decide('BIRTH_EXEMPT_DERIVED_CACHE', 'GOV-SIV');
    const { decision } = await estate.gcos.explanations.object('orders', String(order?.['code']));
    expect(decision).toMatchObject({
      means: 'retired',
      reason: 'the vendor has not answered',
      reviewOwner: 'GOV-SIV',
    });
  });
});

it('the gap of a class is as grave as what the class can do', async () => {
  await host(
    'alter table route_registry rename to routes_elsewhere; alter table table_registry rename to tables_elsewhere',
  );
  await capture();
  const found = new Map((await gaps('registry_missing')).map((row) => [row['subject'], row['severity']]));
  expect([found.get('route'), found.get('table')]).toEqual(['high', 'medium']);
});
