// The doctor on hosts that differ from the demo host: it reports each difference and leaves nothing behind.
import { afterEach, describe, expect, it } from 'vitest';
import { hashEstate } from '../../src/demo/index.js';
import type { DoctorLine, DoctorReport } from '../../src/index.js';
import { asHost, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function hostWith(change: string, kind: 'host' | 'installed' = 'host'): Promise<Estate> {
  const estate = await createEstate(kind);
  open.push(estate);
  if (change !== '') await asHost(estate.url, change);
  return estate;
}

function line(report: DoctorReport, section: DoctorLine['section'], subject: string): DoctorLine | undefined {
  return report.lines.find((each) => each.section === section && each.subject.includes(subject));
}

describe('the doctor', () => {
  it('finds the demo host usable, and leaves no row behind', async () => {
    const { gcos, db } = await hostWith('');
    const before = await hashEstate(db);
    const report = await gcos.doctor();
    expect(report.lines.filter((each) => each.state === 'problem')).toEqual([]);
    expect(report.usable).toBe(true);
    expect(report.lines.filter((each) => each.section === 'write').map((each) => each.state)).toEqual(
      Array(9).fill('ok'),
    );
    expect(line(report, 'schema', 'GCOS')?.detail).toMatch(/not installed yet/);
    expect(await hashEstate(db)).toEqual(before);
  });

  it('reports the current schema when GCOS is installed', async () => {
    const { gcos } = await hostWith('', 'installed');
    expect(line(await gcos.doctor(), 'schema', 'GCOS')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/current, at migration \d+/),
    });
  });

  it('reports a missing required table: the host is not usable', async () => {
    const { gcos } = await hostWith('drop table event_outbox cascade');
    const report = await gcos.doctor();
    expect(report.usable).toBe(false);
    expect(line(report, 'table', 'event_outbox')).toMatchObject({
      state: 'problem',
      detail: 'absent: no signal can be emitted',
    });
    expect(line(report, 'write', 'a signal')).toBeUndefined();
    expect(line(report, 'write', 'a finding')?.state).toBe('ok');
  });

  it('reports a missing optional table: the host is usable, but degraded', async () => {
    const { gcos } = await hostWith('drop table coverage_profile cascade');
    const report = await gcos.doctor();
    expect(report.usable).toBe(true);
    expect(line(report, 'table', 'coverage_profile')).toMatchObject({
      state: 'degraded',
      detail: expect.stringContaining('every verdict is unknown'),
    });
    expect(report.verdict).toMatch(/degraded/);
  });

  it('names a renamed column and a column with another type', async () => {
    const { gcos } = await hostWith(`
      alter table birth_registry rename column born_at to birth_date;
      alter table measurement_registry alter column enabled drop default, alter column enabled type text using enabled::text`);
    const report = await gcos.doctor();
    expect(report.usable).toBe(false);
    expect(line(report, 'table', 'birth_registry')?.detail).toMatch(
      /^different shape: column `born_at` is missing/,
    );
    expect(line(report, 'table', 'measurement_registry')?.detail).toMatch(
      /column `enabled` is text, not boolean/,
    );
  });

  it('maps values to narrower CHECK constraints, and the trial writes pass', async () => {
    const { gcos } = await hostWith(`
      alter table event_outbox add constraint s check (event_stream in ('comment','review','update','birth','task','alert','health')) not valid;
      alter table event_outbox add constraint l check (delivery_lane = any (array['immediate','delayed'])) not valid;
      alter table event_outbox add constraint v check (event_severity in ('info','warning','critical')) not valid;
      alter table system_issues add constraint w check (lower(severity) ~ '^(info|warning|critical)$') not valid`);
    const report = await gcos.doctor();
    expect(report.usable).toBe(true);
    expect(line(report, 'mapping', 'stream governance.handoff')?.detail).toMatch(/written as `update`/);
    expect(line(report, 'mapping', 'stream governance.coverage')?.detail).toMatch(/written as `alert`/);
    expect(line(report, 'mapping', 'lane digest')?.detail).toMatch(/`delayed`/);
    expect(line(report, 'mapping', 'event severity high')?.detail).toMatch(/`critical`/);
    expect(line(report, 'mapping', 'issue severity medium')?.detail).toMatch(/`warning`/);
    expect(line(report, 'mapping', 'issue severity low')?.detail).toMatch(/`info`/);
    expect(report.lines.filter((each) => each.section === 'write').every((each) => each.state === 'ok')).toBe(
      true,
    );
  });

  it('reports a severity without a mapping as a problem until a setting maps it', async () => {
    const { gcos, url } = await hostWith(
      `alter table system_issues add constraint w check (severity in ('P1','P2','P3')) not valid`,
      'installed',
    );
    const before = await gcos.doctor();
    expect(before.usable).toBe(false);
    expect(line(before, 'mapping', 'issue severity high')?.detail).toMatch(
      /choose one in the setting `host.mapping`/,
    );
    await asHost(
      url,
      `update governance_setting set setting_value = '{"issue_severity": {"critical": "P1", "high": "P1", "medium": "P2", "low": "P3"}}' where setting_key = 'host.mapping'`,
    );
    const after = await gcos.doctor();
    expect(after.usable).toBe(true);
    expect(line(after, 'mapping', 'issue severity high')?.detail).toMatch(/`P1`.*your setting/);
    await asHost(
      url,
      `update governance_setting set setting_value = '{"issue_severity": {"high": "P9"}}' where setting_key = 'host.mapping'`,
    );
    expect((await gcos.doctor()).usable).toBe(false);
    await asHost(
      url,
      `update governance_setting set setting_value = '[]' where setting_key = 'host.mapping'`,
    );
    await expect(gcos.doctor()).rejects.toMatchObject({ code: 'setting_invalid', exit: 3 });
  });

  it('names a trigger of the outbox that accepts a row, and quotes the error of one that refuses it', async () => {
    const validator = (condition: string) => `
      create or replace function check_outbox() returns trigger language plpgsql as $$
      begin
        if ${condition} then raise exception 'outbox: domain % is not allowed', new.event_domain; end if;
        return new;
      end $$;
      create or replace trigger outbox_validator before insert on event_outbox for each row execute function check_outbox()`;
    const { gcos, url } = await hostWith(validator("new.event_domain = 'unknown'"));
    expect(line(await gcos.doctor(), 'write', 'a signal (event_outbox)')).toMatchObject({
      state: 'note',
      detail: 'accepted; fires the trigger `outbox_validator` (before insert)',
    });
    await asHost(url, validator("new.event_domain = 'governance'"));
    const report = await gcos.doctor();
    expect(report.usable).toBe(false);
    expect(line(report, 'write', 'a signal (event_outbox)')?.detail).toBe(
      'refused by the host: outbox: domain governance is not allowed (SQLSTATE P0001)',
    );
  });

  it('reports births that a trigger registers for issues, also if the trigger is deferred', async () => {
    const { gcos } = await hostWith(`
      create function issue_birth() returns trigger language plpgsql as $$
      begin
        insert into birth_registry (entity_code, collection_name, born_at, status) values (new.code, 'system_issues', now(), 'born');
        return null;
      end $$;
      create constraint trigger issue_birth after insert on system_issues deferrable initially deferred for each row execute function issue_birth()`);
    const report = await gcos.doctor();
    expect(report.usable).toBe(true);
    expect(line(report, 'write', 'a finding')?.detail).toMatch(
      /the host registers a birth for it \(1 more in birth_registry\), which GCOS counts but does not react to/,
    );
  });

  it('finds an additional required column by a trial write', async () => {
    const { gcos } = await hostWith(
      `alter table queue_heartbeat add column region text not null default 'x'; alter table queue_heartbeat alter column region drop default`,
    );
    expect(line(await gcos.doctor(), 'write', 'a heartbeat')).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining('"region"'),
    });
  });

  it('reports that a read-only role cannot install GCOS', async () => {
    const name = `viewer_${process.pid}`;
    const estate = await hostWith(
      `create role ${name} login password 'x'; grant select on all tables in schema public to ${name}`,
    );
    try {
      const gcos = await openAt(urlFor(estate.url, { user: name, password: 'x' }));
      open.push(gcos);
      const report = await gcos.doctor();
      expect(report.usable).toBe(false);
      expect(line(report, 'table', 'birth_registry')?.state).toBe('ok');
      expect(line(report, 'privilege', name)).toMatchObject({
        state: 'problem',
        detail: expect.stringContaining('may only read'),
      });
      expect(line(report, 'write', 'not tried')?.detail).toMatch(/may not insert into registry_changelog/);
    } finally {
      await asHost(estate.url, `drop owned by ${name}; drop role ${name}`);
    }
  });

  it('refuses a table with row-level security, whose counts would be incomplete', async () => {
    const name = `limited_${process.pid}`;
    const estate = await hostWith(
      `create role ${name} login password 'x'; grant select on all tables in schema public to ${name}; alter table birth_registry enable row level security`,
    );
    try {
      const gcos = await openAt(urlFor(estate.url, { user: name, password: 'x' }));
      open.push(gcos);
      expect(line(await gcos.doctor(), 'table', 'birth_registry')).toMatchObject({
        state: 'problem',
        detail: expect.stringContaining('row-level security'),
      });
    } finally {
      await asHost(estate.url, `drop owned by ${name}; drop role ${name}`);
    }
  });

  it('recommends indexes, and creates none', async () => {
    const { gcos, url } = await hostWith('');
    const indexes = await asHost(
      url,
      "select indexname from pg_indexes where tablename = 'system_issues' and indexdef like '%coalesce_key%'",
    );
    for (const each of indexes) await asHost(url, `drop index ${each['indexname']}`);
    const before = await gcos.dumpSchema();
    expect(line(await gcos.doctor(), 'index', 'system_issues')?.detail).toMatch(
      /\(coalesce_key\) would help/,
    );
    expect(await gcos.dumpSchema()).toBe(before);
  });
});

describe('the doctor on hosts that drop or refuse rows', () => {
  it('never reports "accepted" for a row that a trigger or rule drops, or for a refused update', async () => {
    const { gcos } = await hostWith(`
      create function swallow() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger a before insert on event_outbox for each row execute function swallow();
      create rule r as on insert to system_issues do instead nothing;
      create function frozen() returns trigger language plpgsql as $$ begin raise exception 'rows are final'; end $$;
      create trigger b before update on queue_heartbeat for each row execute function frozen()`);
    const report = await gcos.doctor();
    expect(report.usable).toBe(false);
    expect(line(report, 'write', 'a signal (event_outbox)')?.detail).toBe(
      'refused by the host: the host silently drops it',
    );
    expect(line(report, 'write', 'a finding')?.state).toBe('problem');
    expect(line(report, 'write', 'a heartbeat')?.detail).toMatch(/rows are final/);
  });

  it('evaluates domains, domains over domains, and constraints that raise errors', async () => {
    const { gcos } = await hostWith(`
      create domain word as text check (length(value) < 100);
      create domain stream_word as word check (value in ('update', 'alert'));
      alter table event_outbox alter column event_stream type stream_word using 'update';
      create function known_lane(lane text) returns boolean language plpgsql as $$
      begin
        if lane not in ('immediate', 'delayed') then raise exception 'bad lane %', lane; end if;
        return true;
      end $$;
      alter table event_outbox add constraint l check (known_lane(delivery_lane)) not valid`);
    const report = await gcos.doctor();
    expect(report.lines.filter((each) => each.state === 'problem')).toEqual([]);
    expect(line(report, 'mapping', 'stream governance.coverage')?.detail).toMatch(/`alert`/);
    expect(line(report, 'mapping', 'lane digest')?.detail).toMatch(/`delayed`/);
  });

  it('accepts an enumeration that GCOS reads, and refuses one where GCOS writes text', async () => {
    const { gcos } = await hostWith(`
      create type lane as enum ('immediate', 'delayed');
      alter table event_outbox alter column delivery_lane type lane using 'immediate'::lane;
      create type role as enum ('observed', 'excluded', 'governed', 'locked', 'law_artifact');
      alter table collection_registry alter column governance_role type role using governance_role::role`);
    const report = await gcos.doctor();
    expect(line(report, 'table', 'event_outbox')?.detail).toMatch(/column `delivery_lane` is lane, not text/);
    expect(line(report, 'table', 'collection_registry')?.state).toBe('ok');
  });

  it('reports row-level security on a table that it must read, without a failed trial', async () => {
    const name = `limited_too_${process.pid}`;
    const estate = await hostWith(
      `create role ${name} login password 'x'; grant select, insert on all tables in schema public to ${name}; alter table meta_catalog enable row level security; alter table birth_registry enable row level security`,
    );
    try {
      const gcos = await openAt(urlFor(estate.url, { user: name, password: 'x' }));
      open.push(gcos);
      const report = await gcos.doctor();
      expect(line(report, 'table', 'meta_catalog')?.detail).toMatch(/row-level security/);
      expect(
        report.lines.filter((each) => each.section === 'write' && each.detail.includes('birth_registry')),
      ).toEqual([]);
    } finally {
      await asHost(estate.url, `drop owned by ${name}; drop role ${name}`);
    }
  });
});
