// Profiles of classes, decisions about collections, and terminal statuses, read from the tables and settings.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readContent, readDecisions, resolveProfiles, terminalStatuses } from '../../src/host/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

describe('profiles and decisions', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
    await asHost(
      estate.url,
      `insert into coverage_profile (profile_code, class_pattern, risk_class, ttl, required_links, status) values
         ('Z-1', 'a%', 'read', '1 day', '{}', 'active'), ('Z-2', 'article_r%', 'read', '36 hours', '{}', 'active'),
         ('Z-3', 'bad\\', 'read', '1 day', '{}', 'active'), ('Z-4', 'article', 'read', '1 day', '{}', 'inactive'),
         ('A-1', 'contra%t', 'read', '1 day', '{}', 'active')`,
    );
  });
  afterEach(() => estate.close());

  it('only active profiles match: an exact name first, then the longest pattern, then the lowest code', async () => {
    const { available, byClass } = await estate.db.transaction(
      { isolation: 'repeatable read', readOnly: true },
      async (tx) =>
        resolveProfiles(tx, await readContent(tx), [
          'article',
          'article_revision',
          'axis',
          'agenda',
          'contract',
          'nothing',
        ]),
    );
    expect(available).toBe(true);
    expect([...byClass].map(([name, profile]) => [name, profile.classPattern])).toEqual([
      ['article', 'article%'],
      ['article_revision', 'article_r%'],
      ['axis', 'axis'],
      ['agenda', 'a%'],
      // `contract%` is one character longer than `contra%t`.
      ['contract', 'contract%'],
    ]);
    expect(byClass.get('article_revision')).toMatchObject({ ttlSeconds: 129_600n, riskClass: 'read' });
  });

  it.each(["'infinity'", 'null'])(
    'a profile with the ttl %s has no end, and other profiles keep theirs',
    async (ttl) => {
      const { byClass } = await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
        await tx.script(
          `alter table coverage_profile alter ttl drop not null; update coverage_profile set ttl = ${ttl} where class_pattern = 'axis'`,
        );
        return resolveProfiles(tx, await readContent(tx), ['axis', 'route']);
      });
      expect(byClass.get('axis')?.ttlSeconds).toBeNull();
      expect(byClass.get('route')?.ttlSeconds).toBeGreaterThan(0n);
    },
  );

  it('a setting defines the meaning of decisions; a decision without a meaning is unknown', async () => {
    const read = () =>
      estate.db.transaction({ isolation: 'repeatable read', readOnly: true }, async (tx) => ({
        decisions: await readDecisions(tx, await readContent(tx)),
        terminal: terminalStatuses(await readContent(tx)),
      }));
    const { decisions, terminal } = await read();
    const means = (collection: string) => decisions.get(collection)?.means;
    expect(decisions.size).toBe(168);
    expect(
      ['articles', 'bookmarks', 'iot_telemetry', 'legacy_catalog', 'partner_catalog', 'job_history'].map(
        means,
      ),
    ).toEqual(['in_scope', 'class_0', 'deferred_birth', 'unknown', 'unknown', 'retired']);
    expect(means('legacy_import')).toBeUndefined();
    expect([...terminal]).toEqual(['retired', 'superseded', 'merged', 'migrated', 'gone']);
    await asHost(
      estate.url,
      `update governance_setting set setting_value = '[]' where setting_key = 'verdict.collection_decisions'`,
    );
    expect((await read()).decisions.get('articles')?.means).toBe('unknown');
  });
});
