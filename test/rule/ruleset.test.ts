// Versions of rulesets: the same rules have the same version, independent of row order, session settings and
// number format. Only what can change a verdict changes the version.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeContent, type RulesetContent, readContent } from '../../src/host/index.js';

import { asHost } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';
import { evidence } from '../support/evidence.js';

const READ_ONLY = { isolation: 'repeatable read' } as const;

describe('the version of a ruleset', () => {
  // All tests share one estate: each test restores the rules.
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('installed');
  });
  afterAll(() => estate.close());

  const host = (sql: string) => asHost(estate.url, sql);
  const versionNow = async () => (await estate.gcos.rulesets.draft({ dryRun: true })).version;
  /** The version after `change`, and the version after `back`. */
  async function versionsAround(change: string, back: string): Promise<{ then: string; after: string }> {
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

    it('when it is computed again, and in any physical order of rows', async () => {
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
      evidence(`${version} in every order of rows`);
    });

    it('in every session: time zone, DateStyle, IntervalStyle, search_path, plans', async () => {
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
      const seen = await estate.db.transaction(READ_ONLY, async (tx) => {
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

    it('for equal jsonb numbers in any format, without conversion to a float', async () => {
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

    it('on a host whose keys are not unique', async () => {
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
    ['the default owner of a scope', 'governance_responsibility_scope set default_owner_hint = null'],
    ['the description of a setting', "governance_setting set about = about || '!', updated_at = now()"],
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
      'the limits of a well-formed birth',
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

  it('differs when a component is absent, unreadable or empty', async () => {
    const before = await versionNow();
    const absent = await versionsAround(
      'alter table axis_registry rename to hidden',
      'alter table hidden rename to axis_registry',
    );
    expect(absent.then).not.toBe(before);
    expect(absent.after).toBe(before);
    const unreadable = await versionsAround(
      'alter table axis_registry rename column axis_family to family',
      'alter table axis_registry rename column family to axis_family',
    );
    expect(new Set([before, absent.then, unreadable.then]).size).toBe(3);
    const empty = await versionsAround(
      'create table kept as select * from axis_registry; delete from axis_registry',
      'insert into axis_registry select * from kept; drop table kept',
    );
    // An empty registry differs from a missing one.
    expect(empty.then).not.toBe(absent.then);

    await host('alter table coverage_profile rename to hidden');
    const draft = await estate.gcos.rulesets.draft();
    await host('alter table hidden rename to coverage_profile');
    expect(draft.provenance.absent).toEqual(['profiles']);
    expect(draft.content.components).toContainEqual({ component: 'profiles', state: 'absent' });
    const { lines } = await estate.gcos.rulesets.diff(draft.version, 'current');
    expect(lines[0]).toBe('component profiles became present');
    expect(lines).toHaveLength(54);
  });
});

describe('the content of a ruleset', () => {
  it('is encoded in canonical order for any order of rows', () => {
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
    // Ordered by bytes, as in the collation "C" of the server.
    expect(one.text).toContain(
      '[{"scope_code":"B"},{"scope_code":"b"},{"scope_code":"\uffee"},{"scope_code":"\u{1f600}"}]',
    );
    expect(one.text).toContain('{"component":"profiles","state":"absent"}');
    expect(encodeContent({ ...content(rows), family: 'other' }).version).not.toBe(one.version);
  });
});
