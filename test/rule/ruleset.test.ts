// Rulesets: the same rules are the same version, whatever order, session or spelling they are read in; anything that
// changes a verdict changes it, and nothing else does.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeContent, type RulesetContent, readContent } from '../../src/rule/ruleset/index.js';
import { checkout } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { evidence } from '../support/evidence.js';

const LOOK = { isolation: 'repeatable read' } as const;

describe('ruleset', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('installed');
  });
  afterAll(() => estate.close());

  const host = (sql: string) => asHost(estate.url, sql);
  const versionNow = async () => (await estate.gcos.rulesets.draft({ dryRun: true })).version;
  /** The version after `change`, and again after `back`. */
  async function during(change: string, back: string): Promise<{ then: string; after: string }> {
    await host(change);
    const then = await versionNow();
    await host(back);
    return { then, after: await versionNow() };
  }

  describe('seed 38 §38.10 test 1, reproducibility: the same rules give the same hash', () => {
    let version: string;
    beforeEach(async () => {
      version = await versionNow();
    });

    it('however often it is computed, and however the rows lie on disk', async () => {
      expect(version).toMatch(/^gov-rs-[0-9a-f]{12}$/);
      expect(await versionNow()).toBe(version);
      const rewrites = ['measurement_registry', 'coverage_profile', 'axis_registry', 'governance_rule_reach'];
      for (const table of rewrites) {
        await host(
          `create table pg_temp_${table} as select * from ${table}; alter table ${table} disable trigger all;
           delete from ${table}; alter table ${table} enable trigger all;`,
        );
        expect(await versionNow()).not.toBe(version);
        await host(`insert into ${table} overriding system value select * from pg_temp_${table} order by md5(pg_temp_${table}::text);
          drop table pg_temp_${table}`);
      }
      expect(await versionNow()).toBe(version);
      await host(
        `create index shuffle on measurement_registry (md5(measurement_id)); cluster measurement_registry using shuffle;
         drop index shuffle; update coverage_profile set status = status`,
      );
      expect(await versionNow()).toBe(version);
      evidence(`${version}, whatever the order of rows`);
    });

    it('whatever the session: time zone, DateStyle, IntervalStyle, search_path, plans', async () => {
      const settings = {
        timezone: "'Asia/Ho_Chi_Minh'",
        datestyle: "'SQL, DMY'",
        intervalstyle: "'postgres_verbose'",
        bytea_output: "'escape'",
        extra_float_digits: '0',
        enable_sort: 'off',
        enable_seqscan: 'off',
        lc_numeric: "'C'",
      };
      const locals = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`);
      const seen = await estate.db.transaction(LOOK, async (tx) => {
        await tx.script(locals.join('; '));
        return encodeContent(await readContent(tx)).version;
      });
      expect(seen).toBe(version);

      await host(
        `create schema decoy; create table decoy.measurement_registry as select * from measurement_registry limit 3;
         alter database ${estate.name} set search_path = decoy, public;
         ${Object.entries(settings)
           .map(([name, value]) => `alter database ${estate.name} set ${name} = ${value};`)
           .join('\n')}`,
      );
      const other = await openAt(estate.url);
      expect((await other.rulesets.draft({ dryRun: true })).version).toBe(version);
      await other.close();
      await host(`alter database ${estate.name} reset all; drop schema decoy cascade`);
    });

    it('however jsonb numbers are spelled, and never through a float', async () => {
      const set = async (value: string) => {
        await host(
          `insert into governance_setting (setting_key, setting_value, about) values ('gate.test', '${value}', 'a test')
           on conflict (setting_key) do update set setting_value = excluded.setting_value`,
        );
        return versionNow();
      };
      const first = await set('{"share": 0.5, "n": 1, "big": 9007199254740993}');
      expect(first).not.toBe(version);
      expect(await set('{"n": 1.0, "share": 0.50, "big": 9007199254740993.00}')).toBe(first);
      expect(await set('{"n": 1e0, "share": 5e-1, "big": 9.007199254740993e15}')).toBe(first);
      expect(await set('{"n": 1, "share": 0.5, "big": 9007199254740992}')).not.toBe(first);
      expect(await set('{"n": "1", "share": 0.5, "big": 9007199254740993}')).not.toBe(first);
      await host("delete from governance_setting where setting_key = 'gate.test'");
      expect(await versionNow()).toBe(version);
    });

    it('also where a host does not keep its keys unique', async () => {
      await host('alter table measurement_registry drop constraint measurement_registry_pkey');
      const copy = (order: string) =>
        `insert into measurement_registry (measurement_id, measurement_name, law_code, source_query, target_query)
         select 'MSR-001', 'x', l, 'select 1', 'select 1' from unnest(array['LAW-02', 'LAW-01']) as l order by l ${order}`;
      await host(copy('asc'));
      const one = await versionNow();
      await host("delete from measurement_registry where measurement_name = 'x'");
      await host(copy('desc'));
      expect(await versionNow()).toBe(one);
      await host("delete from measurement_registry where measurement_name = 'x'");
      await host('alter table measurement_registry add primary key (measurement_id)');
      expect(await versionNow()).toBe(version);
    });
  });

  it.each([
    ['a measurement name', "measurement_registry set measurement_name = measurement_name || '!'"],
    ['a run result', "measurement_registry set last_result = 'fail', last_evidence = '{\"n\": 1}'"],
    ['a run time', 'measurement_registry set last_run_at = now()'],
    ['whether a row was generated', 'measurement_registry set auto_generated = not auto_generated'],
    [
      'a detector that is not enabled',
      "measurement_registry set source_query = 'select 2' where not enabled",
    ],
    [
      'an axis name, description or owner',
      "axis_registry set name = 'x', description = 'y', owner_gov_code = null",
    ],
    ['who is asked in a scope', 'governance_responsibility_scope set default_owner_hint = null'],
    ['what a setting is about', "governance_setting set about = about || '!', updated_at = now()"],
    [
      'a setting that changes no verdict',
      "governance_setting set setting_value = '7' where setting_key = 'finding.sample'",
    ],
    ['when and why a reach was added', "governance_rule_reach set origin = 'operator', created_at = now()"],
    ['a law', "normative_registry set title = title || '!', version = version + 1"],
  ])('does not change with %s', async (_, update) => {
    const before = await versionNow();
    await host(`begin; update ${update}; commit`);
    expect(await versionNow()).toBe(before);
  });

  it.each([
    [
      "one enabled detector's source query",
      "measurement_registry set source_query = source_query || ' ' where measurement_id = 'MSR-001'",
    ],
    [
      "one enabled detector's target query",
      "measurement_registry set target_query = 'select 1' where measurement_id = 'MSR-002'",
    ],
    ['its comparison', "measurement_registry set comparison = null where measurement_id = 'MSR-001'"],
    ['its severity', "measurement_registry set severity = 'critical' where measurement_id = 'MSR-001'"],
    ['its method', "measurement_registry set method = 9 where measurement_id = 'MSR-001'"],
    ['its law', "measurement_registry set law_code = 'LAW-01' where measurement_id = 'MSR-001'"],
    ['a detector disabled', "measurement_registry set enabled = false where measurement_id = 'MSR-001'"],
    [
      "a profile's ttl",
      "coverage_profile set ttl = ttl + interval '1 microsecond' where profile_code = 'PRF-001'",
    ],
    [
      'a month instead of thirty days',
      "coverage_profile set ttl = interval '1 month' where profile_code = 'PRF-022'",
    ],
    ["a profile's links", "coverage_profile set required_links = '{}' where profile_code = 'PRF-001'"],
    ['a profile retired', "coverage_profile set status = 'retired' where profile_code = 'PRF-001'"],
    ["an axis's family", "axis_registry set axis_family = 'x' where axis_code = 'AX-VENUE-REGION'"],
    ['a scope retired', "governance_responsibility_scope set status = 'retired' where scope_code = 'render'"],
    ['a reach row', "governance_rule_reach set source_registry = 'articles' where rule_code = 'LAW-04'"],
    [
      'when a birth is malformed',
      "governance_setting set setting_value = setting_value || '{\"code_length\": 64}' where setting_key = 'input.limits'",
    ],
    [
      'a setting that is listed',
      'governance_setting set setting_value = \'{"prefixes": ["finding."], "keys": []}\' where setting_key = \'ruleset.settings\'',
    ],
  ])('changes with %s', async (_, update) => {
    const before = await versionNow();
    const table = update.split(' ')[0] ?? '';
    await host(`create table kept as select * from ${table}`);
    await host(`update ${update}`);
    expect(await versionNow()).not.toBe(before);
    await host(`alter table ${table} disable trigger all; delete from ${table};
      insert into ${table} overriding system value select * from kept; alter table ${table} enable trigger all; drop table kept`);
    expect(await versionNow()).toBe(before);
  });

  it('marks an absent component, and changes when it appears or can no longer be read', async () => {
    const before = await versionNow();
    const absent = await during(
      'alter table axis_registry rename to hidden',
      'alter table hidden rename to axis_registry',
    );
    expect(absent.then).not.toBe(before);
    expect(absent.after).toBe(before);
    const bent = await during(
      'alter table axis_registry rename column axis_family to family',
      'alter table axis_registry rename column family to axis_family',
    );
    expect(new Set([before, absent.then, bent.then]).size).toBe(3);
    const empty = await during(
      'create table kept as select * from axis_registry; delete from axis_registry',
      'insert into axis_registry select * from kept; drop table kept',
    );
    // A registry without rows is not a missing registry.
    expect(empty.then).not.toBe(absent.then);

    await host('alter table coverage_profile rename to hidden');
    const draft = await estate.gcos.rulesets.draft();
    await host('alter table hidden rename to coverage_profile');
    expect(draft.provenance.absent).toEqual(['profiles']);
    expect(draft.content.components).toContainEqual({ component: 'profiles', state: 'absent' });
    const { words } = await estate.gcos.rulesets.diff(draft.version, 'current');
    expect(words[0]).toBe('component profiles became present');
    expect(words).toHaveLength(53);
  });

  it('is drafted once: the second time nothing is written', async () => {
    const rows = () =>
      host(`select (select count(*)::int from governance_ruleset) as rulesets,
        (select count(*)::int from registry_changelog where entity_type = 'governance_ruleset') as audits,
        (select max(xmin::text::bigint)::text from governance_ruleset) as newest`);
    const dry = await estate.gcos.rulesets.draft({ dryRun: true });
    expect(dry.created).toBe(true);
    const [before] = await rows();
    const first = await estate.gcos.rulesets.draft({ notes: 'the first' });
    expect(first).toMatchObject({
      created: true,
      status: 'draft',
      owner: 'GOV-COUNCIL',
      version: dry.version,
    });
    const [once] = await rows();
    expect(once).toMatchObject({
      rulesets: Number(before?.['rulesets']) + 1,
      audits: Number(before?.['audits']) + 1,
    });
    expect(await estate.gcos.rulesets.draft()).toMatchObject({ created: false, version: first.version });
    expect((await rows())[0]).toEqual(once);
    const audit = await host(
      `select action, changed_by, alert_detail from registry_changelog where entity_code = '${first.version}'`,
    );
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({ action: 'draft' });
    expect(JSON.parse(String(audit[0]?.['alert_detail']))).toMatchObject({ content_hash: first.contentHash });

    const shown = await estate.gcos.rulesets.show(first.version, { content: true });
    expect(shown).toMatchObject({ status: 'draft', notes: 'the first', content: first.content });
    expect(shown.provenance.measurement_ids).toHaveLength(140);
    expect(shown.provenance.law_codes).toContain('LAW-45');
    expect(shown.provenance.parts.map((part) => [part.component, part.state, part.source])).toEqual([
      ['detectors', 'present', 'measurement_registry'],
      ['profiles', 'present', 'coverage_profile'],
      ['axes', 'present', 'axis_registry'],
      ['scopes', 'present', 'governance_responsibility_scope'],
      ['reach', 'present', 'governance_rule_reach'],
      ['settings', 'present', 'governance_setting'],
    ]);
  });

  it('can be re-hashed by anyone with nothing but the server', async () => {
    const { version, contentHash } = await estate.gcos.rulesets.draft();
    const [row] = await host(
      `select encode(sha256(convert_to('gcos-ruleset', 'UTF8') || '\\x00'::bytea || canonical_bytes), 'hex') as hash,
         convert_from(canonical_bytes, 'UTF8')::jsonb -> 'components' -> 0 -> 'rows' -> 0 ->> 'measurement_id' as first
       from governance_ruleset where ruleset_version = '${version}'`,
    );
    expect(row).toEqual({ hash: contentHash, first: 'MSR-001' });
    expect(await estate.gcos.rulesets.verify(version)).toMatchObject({ version, contentHash });
  });

  it('stays: not deleted, not truncated, not changed, not even by the owner; and verify finds what got past that', async () => {
    const { version } = await estate.gcos.rulesets.draft();
    const where = `where ruleset_version = '${version}'`;
    const refused = { code: '23001' };
    await expect(host(`delete from governance_ruleset ${where}`)).rejects.toMatchObject(refused);
    await expect(host('truncate governance_ruleset cascade')).rejects.toMatchObject(refused);
    await expect(
      host(`update governance_ruleset set canonical_bytes = '\\x00' ${where}`),
    ).rejects.toMatchObject(refused);
    await expect(host(`update governance_ruleset set components = '{}' ${where}`)).rejects.toMatchObject(
      refused,
    );
    await expect(
      host(`insert into governance_ruleset (ruleset_version, content_hash, canonical_bytes, components, created_at, created_by)
        values ('gov-rs-000000000000', repeat('0', 64), '\\x7b7d', '{}', now(), 'x')`),
    ).rejects.toMatchObject({ code: '23514' });
    await host(
      `alter table governance_ruleset disable trigger all; alter table governance_ruleset drop constraint governance_ruleset_hashes;
       update governance_ruleset set canonical_bytes = canonical_bytes || convert_to(' ', 'UTF8') ${where}`,
    );
    await expect(estate.gcos.rulesets.verify(version)).rejects.toMatchObject({
      code: 'ruleset_corrupt',
      exit: 2,
    });
    await expect(estate.gcos.rulesets.diff(version, 'current')).rejects.toMatchObject({
      code: 'ruleset_corrupt',
    });
    await host(
      `update governance_ruleset set canonical_bytes = substring(canonical_bytes for length(canonical_bytes) - 1) ${where};
       alter table governance_ruleset enable trigger all`,
    );
    expect(await estate.gcos.rulesets.verify(version)).toMatchObject({ version });
    await expect(estate.gcos.rulesets.verify('gov-rs-0123456789ab')).rejects.toMatchObject({
      code: 'ruleset_unknown',
      exit: 3,
    });
  });

  it('says in words what differs', async () => {
    const { version } = await estate.gcos.rulesets.draft();
    await host(
      `update measurement_registry set enabled = false where measurement_id = 'MSR-010';
       update measurement_registry set enabled = true where not enabled and measurement_id <> 'MSR-010';
       update measurement_registry set source_query = 'select 1', severity = 'critical' where measurement_id = 'MSR-001';
       update coverage_profile set risk_class = 'write_high' where profile_code = 'PRF-006';
       insert into axis_registry (axis_code, axis_family, name) values ('AX-NEW', 'mood', 'Mood');
       delete from governance_object_ownership where scope = 'render';
       delete from governance_responsibility_scope where scope_code = 'render';
       insert into governance_rule_reach (rule_kind, rule_code, scope, source_registry) values ('measurement', 'MSR-002', 'audit', 'articles');
       delete from governance_rule_reach where rule_code = 'LAW-04';
       insert into governance_setting values ('gate.share', '0.50', 'a test');`,
    );
    const { words, changes } = await estate.gcos.rulesets.diff(version, 'current');
    expect(words.map((line) => line.replace(/MSR-(?!001|010)\d+ \(LAW-03\)/, 'MSR-?'))).toEqual([
      'detector MSR-001: severity warning → critical, source_query changed',
      expect.stringMatching(/^detector MSR-010 \(LAW-\d\d\) disabled$/),
      'detector MSR-? enabled',
      'detector MSR-? enabled',
      'profile PRF-006: risk_class write_low → write_high',
      'axis AX-NEW added',
      'scope render removed',
      'law LAW-04 no longer named as reaching scope health',
      'measurement MSR-002 now reaches scope audit, registry articles',
      'setting gate.share added',
    ]);
    expect(changes[0]).toMatchObject({
      component: 'detectors',
      key: 'MSR-001',
      change: 'changed',
      rule: { kind: 'measurement', code: 'MSR-001', lawCode: 'LAW-19' },
    });
    expect((await estate.gcos.rulesets.diff(version, version)).words).toEqual([]);
  });

  it('is listed newest first, page by page', async () => {
    const all = await estate.gcos.rulesets.list();
    expect(all.length).toBeGreaterThan(1);
    const [first] = await estate.gcos.rulesets.list({ limit: 1 });
    const rest = await estate.gcos.rulesets.list({ limit: 50, after: first?.version ?? '' });
    expect([first, ...rest]).toEqual(all);
    await expect(estate.gcos.rulesets.list({ limit: 1, after: 'gov-rs-x' })).rejects.toMatchObject({
      code: 'ruleset_unknown',
    });
  });
});

describe('rule queries are data', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
  });
  afterEach(() => estate.close());

  it('nothing here runs one, however it is written', async () => {
    // A sequence moves even when the transaction is rolled back.
    await asHost(
      estate.url,
      `create sequence trap; grant usage on sequence trap to public;
       update measurement_registry set source_query = 'select nextval(''trap'')', target_query = '; select nextval(''trap''); --'`,
    );
    const { rulesets } = estate.gcos;
    const { version } = await rulesets.draft();
    await asHost(
      estate.url,
      "update measurement_registry set source_query = 'select nextval(''trap''), 2' where measurement_id = 'MSR-001'",
    );
    const next = await rulesets.draft();
    await rulesets.show(version, { content: true });
    await rulesets.diff(version, next.version);
    await rulesets.verify(version);
    await rulesets.drift();
    expect(await asHost(estate.url, 'select is_called from trap')).toEqual([{ is_called: false }]);
  });

  it('no file of the module builds a statement at run time', () => {
    const module = join(checkout, 'src/rule/ruleset');
    const files = readdirSync(module, { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((file) => /\.(ts|sql)$/.test(file))
      .map((file) => [file, readFileSync(join(module, file), 'utf8')] as const);
    expect(texts.length).toBeGreaterThan(15);
    const running =
      /\bexecute\s+(?!function\b|on function\b)|\.script\(|\bsql:\s*[`'"]|\bdeclare\s+\w+\s+cursor|\bprepare\b/i;
    expect(texts.filter(([, text]) => running.test(text)).map(([file]) => file)).toEqual([]);
    // And only the statement that reads the rules, and what shows or compares them, knows of the columns.
    const knowing = texts.filter(([, text]) => /source_query|target_query/.test(text)).map(([file]) => file);
    expect(knowing.sort()).toEqual(['read-content.sql', 'read-content.sql.d.ts']);
  });
});

describe('content', () => {
  it('is in canonical order whatever order it is given in', () => {
    const rows = [
      { scope_code: 'b' },
      { scope_code: '\u{1f600}' },
      { scope_code: '\uffee' },
      { scope_code: 'B' },
    ];
    const content = (order: typeof rows): RulesetContent => ({
      format: 'gcos-ruleset/1',
      family: 'governance',
      components: [{ component: 'scopes', state: 'present', rows: order }],
    });
    const one = encodeContent(content(rows));
    expect(encodeContent(content(rows.toReversed()))).toEqual(one);
    // As the server's collation "C" has it: by bytes.
    expect(one.text).toContain(
      '[{"scope_code":"B"},{"scope_code":"b"},{"scope_code":"\uffee"},{"scope_code":"\u{1f600}"}]',
    );
    expect(one.text).toContain('{"component":"profiles","state":"absent"}');
    expect(encodeContent({ ...content(rows), family: 'other' }).version).not.toBe(one.version);
  });
});
