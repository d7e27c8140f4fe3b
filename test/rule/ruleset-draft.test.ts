// A drafted ruleset: written once, verifiable with SQL alone, immutable, compared line by line, listed in
// pages.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { draftAnother } from '../support/ruleset.js';

describe('a drafted ruleset', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
  });
  afterEach(() => estate.close());
  const host = (sql: string) => asHost(estate.url, sql);

  it('is written once: a second draft of the same rules writes nothing', async () => {
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
      ['pivots', 'present', 'pivot_definitions'],
      ['jurisdictions', 'present', 'law_jurisdiction'],
      ['scopes', 'present', 'governance_responsibility_scope'],
      ['reach', 'present', 'governance_rule_reach'],
      ['settings', 'present', 'governance_setting'],
    ]);
  });

  it('can be hashed again with SQL alone', async () => {
    const { version, contentHash } = await estate.gcos.rulesets.draft();
    const [row] = await host(
      `select encode(sha256(convert_to('gcos-ruleset', 'UTF8') || '\\x00'::bytea || canonical_bytes), 'hex') as hash,
         convert_from(canonical_bytes, 'UTF8')::jsonb -> 'components' -> 0 -> 'rows' -> 0 ->> 'measurement_id' as first
       from governance_ruleset where ruleset_version = '${version}'`,
    );
    expect(row).toEqual({ hash: contentHash, first: 'MSR-001' });
    expect(await estate.gcos.rulesets.verify(version)).toMatchObject({ version, contentHash });
  });

  it('cannot be deleted, truncated or changed, even by the owner; verify detects changes made without the triggers', async () => {
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
      host(`insert into governance_ruleset (ruleset_version, family, content_hash, canonical_bytes, components, created_at, created_by)
        values ('gov-rs-000000000000', 'governance', repeat('0', 64), '\\x7b7d', '{}', now(), 'x')`),
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

  it('is compared with the current rules in readable lines', async () => {
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
    const { lines, changes } = await estate.gcos.rulesets.diff(version, 'current');
    expect(lines.map((line) => line.replace(/MSR-(?!001|010)\d+ \(LAW-03\)/, 'MSR-?'))).toEqual([
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
    expect((await estate.gcos.rulesets.diff(version, version)).lines).toEqual([]);
  });

  it('is listed newest first, page by page', async () => {
    for (const mark of ['first', 'second', 'third']) await draftAnother(estate, mark);
    const all = await estate.gcos.rulesets.list();
    expect(all).toHaveLength(3);
    const [first] = await estate.gcos.rulesets.list({ limit: 1 });
    const rest = await estate.gcos.rulesets.list({ limit: 50, after: first?.version ?? '' });
    expect([first, ...rest]).toEqual(all);
    await expect(estate.gcos.rulesets.list({ limit: 1, after: 'gov-rs-x' })).rejects.toMatchObject({
      code: 'ruleset_unknown',
    });
  });
});
