// Signals as an operator sees them (seed 41 §41.11): everything here is raised by the worker and by commands,
// on a host that changes; nothing is emitted by hand, except in the test that lets foreign rows look like
// signals.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence, some } from '../support/evidence.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { versionsOf, workOnce } from '../support/working.js';

let estate: Estate;
const host = (text: string) => asHost(estate.url, text);
const work = () => workOnce(estate.gcos);
// The login of the tests acts as the demo's person `operator`.
const begin = async (kind: 'scanned' | 'reconciled') => {
  estate = await createEstate(kind);
};
const gcos = async (...args: string[]): Promise<unknown> => {
  const { exit, stdout, stderr } = await runCli([...args, '--json', '--database-url', estate.url]);
  expect(exit, stderr).toBe(0);
  return JSON.parse(stdout);
};
const SIGNALS = `select id::text, event_type as type, event_subject_table || ' ' || coalesce(event_subject_ref, '') as ref, canonical_address as address, payload_classification as class,
    safe_payload as payload from event_outbox where event_domain = 'governance' order by created_at, id`;
const HELD = `select h.event_type as type, h.subject_table || ' ' || h.subject_ref as ref from governance_hold h
   join event_pending e on e.id = h.pending_id where e.processed_at is null order by h.order_no`;

/** The open findings of a type, by what they are about. */
async function open(
  type: string,
): Promise<readonly { code: string; scope: string | null; subject: string }[]> {
  return (await host(
    `select s.code, k.scope, k.subject from governance_finding_key k join system_issues s on s.id = k.issue_id
     where k.finding_type = '${type}' and s.status = 'open' order by k.subject`,
  )) as { code: string; scope: string | null; subject: string }[];
}

/** Takes the audit link of a collection away, or gives it back; its owner in this scope is GOV-SIV. */
const audit = (collection: string, ref: string | null) =>
  host(
    `update governance_object_ownership set audit_ref = ${ref === null ? 'null' : `'${ref}'`}
     where object_type = 'collection' and object_ref = '${collection}' and scope = 'audit' and lifecycle_status = 'active'`,
  );
const AUDITED = 'registry_changelog/25';

afterEach(() => estate?.close());

describe('seed 41 §41.11: with inactive types', () => {
  beforeEach(() => begin('scanned'));

  it('seed 41 §41.11 test 1, register-before-emit: everything is held, with a finding per type, and leaves in order once its type is active', async () => {
    // A backfill and a full scan have run; now a gap comes and goes, before any type is active.
    await audit('orders', null);
    await work();
    const [gap] = await open('governance_orphan').then((all) =>
      all.filter((each) => each.scope === 'audit' && each.code !== ''),
    );
    expect(gap).toBeDefined();
    await audit('orders', AUDITED);
    await work();
    expect(await host(SIGNALS)).toEqual([]);
    const held = (await host(HELD)) as { type: string; ref: string }[];
    const types = [...new Set(held.map((each) => each.type))].sort();
    expect(types).toEqual(
      expect.arrayContaining([
        'candidate.scan_completed',
        'coverage.orphan',
        'finding.resolved',
        'handoff.authority_changed',
      ]),
    );
    const reported = [...(await open('issue_event_gap')), ...(await open('handoff_unregistered_type'))];
    for (const type of types) expect(reported.map((each) => each.subject)).toContain(type);

    await gcos('event', 'activate', '--all');
    await work();
    const sent = (await host(SIGNALS)) as { type: string; ref: string }[];
    expect((await host(HELD)).filter((each) => types.includes(String(each['type'])))).toEqual([]);
    // Per subject, in the order in which they were held: the gap before its end.
    const bySubject = (all: readonly { type: string; ref: string }[]) => {
      const found = new Map<string, string[]>();
      for (const { type, ref } of all) found.set(ref, [...(found.get(ref) ?? []), type]);
      return found;
    };
    const after = bySubject(sent);
    let several = 0;
    for (const [ref, order] of bySubject(held)) {
      expect({ ref, order: after.get(ref)?.slice(0, order.length) }).toEqual({ ref, order });
      if (new Set(order).size > 1) several += 1;
    }
    expect(several).toBeGreaterThan(0);
    const still = [...(await open('issue_event_gap')), ...(await open('handoff_unregistered_type'))];
    expect(still.filter((each) => types.includes(each.subject))).toEqual([]);
    evidence(
      `${some(held.length, 'signal')} of ${some(types.length, 'type')} held, 0 emitted; all emitted after activation`,
    );
  });
});

/** A word that is only in contents: in names, titles, statements, reasons. */
const CONTENT = 'zqcontentqz';
const TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d(:?\d\d)?|Z)?$/;
const CONTENT_KEY =
  /^(name|title|description|statement|body|text|message|value|reason|justification|comment)$/;

/** All keys and scalar values of a payload. */
function leavesOf(value: unknown, key = ''): { key: string; value: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each, key));
  if (value === null || typeof value !== 'object') return [{ key, value }];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, name));
}

describe('seed 41 §41.11: with active types', () => {
  beforeEach(async () => {
    await begin('reconciled');
    await gcos('event', 'activate', '--all');
    await work();
  });

  it('seed 41 §41.11 test 2, signal-not-data: after a rich history no signal carries a content of the host', async () => {
    await host(`
      update dot_tools set name = name || ' ${CONTENT}' where dot_code between 'DOT-110' and 'DOT-120';
      update information_unit set title = '${CONTENT}' where unit_id in (select unit_id from information_unit order by 1 limit 5);
      update policy_registry set title = '${CONTENT}';
      update exception_registry set reason = '${CONTENT}';
      update normative_registry set title = title || ' ${CONTENT}', body = '${CONTENT}';
      update axis_registry set name = '${CONTENT}', description = '${CONTENT}';
      update universal_rule_registry set statement = '${CONTENT}';
      update measurement_registry set measurement_name = '${CONTENT}';
      update collection_registry set coverage_exemption_reason = '${CONTENT}' where coverage_exemption_reason is not null;
      insert into registry_changelog (entity_type, entity_code, action, changed_by, alert_detail) values ('dot_tool', 'DOT-118', 'direct_update', 'someone', '${CONTENT}');
      insert into system_issues (code, title, issue_type, severity, source_system, coalesce_key, status, first_seen_at, last_seen_at)
        select 'HOST-1', '${CONTENT}', 'owner_gap', severity, 'host', 'host:1', status, now(), now() from system_issues limit 1;
      insert into birth_registry (entity_code, collection_name, species_code, status, canonical_address)
        select 'DOT-NEW', 'dot_tools', 'SP-TOOL', 'born', '${CONTENT}';
      insert into birth_registry (entity_code, collection_name, species_code, status, born_at)
        values ('ORD-ODD', 'orders', 'SP-ODD', 'born', '2999-01-01');
      update birth_registry set status = 'retired' where id = (select min(id) from birth_registry where collection_name = 'pages');`);
    await audit('orders', null);
    await audit('contracts', null);
    await work();
    const request = ['exception', 'request', '--collection', 'orders', '--scope', 'audit', '--for', '7d'];
    await gcos(...request, '--reason', CONTENT, '--as', 'member-1');
    await audit('orders', AUDITED);
    await host(`update coverage_profile set ttl = '20 days' where class_pattern = 'venue'`);
    await putRulesIntoForce(estate.gcos);
    await work();
    await estate.gcos.scans.run({ mode: 'full' });
    await work();
    const signals = await host(SIGNALS);
    const types = new Set(signals.map((each) => String(each['type'])));
    expect([...types]).toEqual(
      expect.arrayContaining([
        'coverage.orphan',
        'direct_write.bypass',
        'finding.resolved',
        'handoff.object_born',
        'handoff.object_retired',
      ]),
    );
    expect([...types].some((type) => type.startsWith('input.'))).toBe(true);
    for (const signal of signals) {
      expect(signal).toMatchObject({ class: 'safe_metadata' });
      expect(JSON.stringify(signal)).not.toContain(CONTENT);
      for (const { key, value } of leavesOf(signal['payload'])) {
        expect(key).not.toMatch(CONTENT_KEY);
        // An address, a reference, a count or a time: never a sentence.
        if (typeof value === 'string' && !TIME.test(value)) expect(value).toMatch(/^\S{1,200}$/);
      }
    }
    evidence(`${some(signals.length, 'signal')} of ${some(types.size, 'type')}: 0 contents`);
  });

  it('seed 41 §41.11 test 5, event ≠ job: signals of every type change no row of the host and no verdict; a remedy is a request', async () => {
    const governed = (
      await host(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
           and relname not like 'gov\\_%' and relname not like 'governance\\_%' and relname not like 'gcos\\_%' and relname not like 'event\\_%'
           and relname not in ('candidate_scan_run', 'apr_action_types', 'queue_heartbeat', 'evolution_snapshots', 'registry_changelog', 'system_issues', 'approval_requests', 'apr_approvals')
         union all select unnest(array['governance_registry', 'governance_docs', 'governance_object_ownership', 'governance_responsibility_scope',
           'governance_candidate_state', 'governance_candidate_object', 'governance_verdict_history', 'governance_ruleset', 'governance_exception'])`,
      )
    ).map((row) => String(row['name']));
    expect(governed.length).toBeGreaterThan(25);
    const read = async () => ({
      ...(await versionsOf(estate.url, governed)),
      findings: (
        await host(`select md5(string_agg(s.code || s.status, '|' order by s.id)) as v from system_issues s`)
      )[0]?.['v'],
    });
    const before = await read();
    // Signals of every type, emitted by GCOS, and rows of a program that imitates them.
    const types = (
      await host(`select event_type as type from event_type_registry where event_domain = 'governance'`)
    ).map((row) => String(row['type']));
    const subjects = [
      ['dot_tools', 'DOT-117'],
      ['governance_object_ownership', '42'],
      ['collection_registry', 'orders'],
      ['exception_registry', 'EXC-001'],
      ['birth_registry', 'DOT-118'],
    ] as const;
    const emitted = await estate.gcos.events.emit(
      types.flatMap((type) =>
        subjects.map(([subjectTable, subjectRef]) => ({
          type,
          subjectTable,
          subjectRef,
          payload: { owner: 'GOV-MOUT', count: 1 },
        })),
      ),
    );
    expect(emitted.emitted).toBe(types.length * subjects.length);
    await host(
      `insert into event_outbox (event_domain, event_type, event_stream, delivery_lane, event_severity, event_subject_table, event_subject_ref,
         canonical_address, actor_ref, source_system, payload_classification, safe_payload)
       select event_domain, event_type, event_stream, delivery_lane, event_severity, event_subject_table, event_subject_ref, canonical_address,
         'someone', 'elsewhere', payload_classification, safe_payload || '{"proposed_action_code": "assign_owner"}'
       from event_outbox where event_domain = 'governance' and safe_payload ->> 'owner' = 'GOV-MOUT'`,
    );
    await work();
    await work();
    expect(await read()).toEqual(before);

    // A remedy is a request: neither its proposal nor its approval changes what is governed.
    const { fixes } = (await gcos('finding', 'list', '--by-fix', '--limit', '1')) as {
      fixes: { id: string }[];
    };
    const proposed = (await gcos('finding', 'propose', fixes[0]?.id ?? '', '--as', 'member-1')) as {
      code: string;
    };
    await work();
    expect(await read()).toEqual(before);
    await gcos('request', 'approve', proposed.code, '--as', 'president');
    const [request] = await host(`select status from approval_requests where code = '${proposed.code}'`);
    expect(request).toEqual({ status: 'approved' });
    await work();
    expect(await read()).toEqual(before);
    evidence(
      `${some(2 * types.length * subjects.length, 'signal')} of ${types.length} types: 0 rows changed; ${proposed.code} approved, 0 rows changed by it`,
    );
  });

  it('seed 41 §41.11 test 7, notification boundary: a gap reaches its subscribed owner, reading is recorded, muting silences the notification and not the finding', async () => {
    const inbox = async () => {
      const { notifications } = (await gcos('inbox', 'list', '--recipient', 'GOV-SIV')) as {
        notifications: { id: string; event_type: string; canonical_address: string }[];
      };
      return notifications.filter((each) => each.event_type === 'coverage.orphan');
    };
    const orphans = async () => (await open('governance_orphan')).filter((each) => each.scope === 'audit');
    // No digest: what earlier tests routed to the body does not count here.
    await host(
      `update governance_setting set setting_value = setting_value || '{"ceiling": 1000000}' where setting_key = 'event.notification'`,
    );
    await gcos('inbox', 'subscribe', '--recipient', 'GOV-SIV', '--stream', 'governance.coverage');
    await gcos('inbox', 'read', '--recipient', 'GOV-SIV', '--all');
    const before = new Set((await orphans()).map((each) => each.code));
    const raise = async (collection: string) => {
      await audit(collection, null);
      await work();
      const raised = (await orphans()).filter((each) => !before.has(each.code));
      for (const each of raised) before.add(each.code);
      return raised;
    };
    const raised = await raise('orders');
    expect(raised.length).toBeGreaterThan(0);
    const notified = await inbox();
    const about = new Set(
      (
        await host(`select event_subject_ref as ref, safe_payload ->> 'issue_id' as issue from event_outbox
         where id in (select event_id from governance_delivery where recipient_ref = 'GOV-SIV' and id in (${notified.map((each) => each.id).join(', ') || '0'}))`)
      ).map((row) => String(row['issue'])),
    );
    const ids = (
      await host(
        `select id::text from system_issues where code in (${raised.map((each) => `'${each.code}'`).join(', ')})`,
      )
    ).map((row) => String(row['id']));
    expect(about).toEqual(new Set(ids));

    // Reading is recorded, as the person of the login.
    await gcos('inbox', 'read', '--recipient', 'GOV-SIV', ...notified.map((each) => each.id));
    expect(await inbox()).toEqual([]);
    const reads =
      await host(`select distinct r.actor_ref from event_read r join event_outbox o on o.id = r.event_id
       where o.event_type = 'coverage.orphan' and o.safe_payload ->> 'issue_id' in (${ids.map((id) => `'${id}'`).join(', ')})`);
    expect(reads).toEqual([{ actor_ref: 'operator' }]);

    await gcos('inbox', 'mute', '--recipient', 'GOV-SIV');
    const silent = await raise('documents');
    expect(silent.length).toBeGreaterThan(0);
    expect(await inbox()).toEqual([]);
    const [finding] = silent;
    expect(await gcos('finding', 'show', finding?.code ?? '')).toMatchObject({
      status: 'open',
      routes: ['GOV-SIV'],
    });
    await gcos('inbox', 'mute', '--recipient', 'GOV-SIV', '--unmute');
    expect((await raise('employees')).length).toBeGreaterThan(0);
    expect((await inbox()).length).toBeGreaterThan(0);
    evidence(`${raised[0]?.code} delivered and read; ${finding?.code} muted: 0 delivered, open`);
  });
});
