// Explanations: one sentence per scope, with the object or group that represents it, the reason, the time and
// what would change the verdict. An object without a verdict is explained as unknown.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillParts } from '../../src/db/index.js';
import type { Explanation, ScopeExplanation } from '../../src/index.js';
import { readBirths } from '../../src/verdict/candidate/read/read.sql.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence } from '../support/evidence.js';
import { judge } from '../support/judged.js';
import { withLiterals } from '../support/sql.js';

let estate: Estate;
beforeEach(async () => {
  estate = await createEstate('judged');
});
afterEach(() => estate.close());

const explain = (collection: string, code: string, options: { scope?: string; at?: string } = {}) =>
  estate.gcos.explanations.object(collection, code, options);
function only(found: Explanation): ScopeExplanation {
  const [scope, ...rest] = found.scopes;
  if (scope === undefined || rest.length > 0) throw new Error(`${found.scopes.length} scopes`);
  return scope;
}
const active = async () => (await estate.gcos.rulesets.show('active')).version;

describe('an object with a row of its own', () => {
  it('seed 38 §38.10 test 1, reproducibility: a recorded verdict resolves to a human-readable statement', async () => {
    const found = only(await explain('dot_tools', 'DOT-117', { scope: 'approval' }));
    const version = await active();
    expect(found).toMatchObject({ verdict: 'relevant', rulesetVersion: version, valid: true, known: true });
    const snapshot = await estate.gcos.snapshots.show(found.snapshot ?? 0n);
    expect(snapshot.at).toBe(found.capturedAt);
    expect(found.sentence).toBe(
      `\`dot_tools\` / \`DOT-117\` in scope approval was relevant (not evaluated) under ruleset ${version}, snapshot ${found.snapshot} (captured ${snapshot.at}), valid until ${found.staleAfter}`,
    );
    evidence(`"${found.sentence}"`);
    // Nothing is required of a tool in scope render.
    expect(only(await explain('dot_tools', 'DOT-117', { scope: 'render' })).sentence).toMatch(
      /^`dot_tools` \/ `DOT-117` in scope render was not_relevant under ruleset gov-rs-[0-9a-f]{12}, snapshot \d+ \(captured 2\d{3}-/,
    );
  });

  it('shows all scopes, the lines of precedence with their data, what represents it, its history and what dirties it', async () => {
    const found = await explain('dot_tools', 'DOT-117');
    expect(found).toMatchObject({ known: true, listed: true, whyUnknown: null });
    expect(found.births).toHaveLength(1);
    expect(found.scopes.map((each) => each.scope)).toEqual([
      'approval',
      'audit',
      'execution',
      'health',
      'policy',
      'render',
    ]);
    const [approval] = found.scopes;
    expect(approval?.representedBy).toBe('object');
    expect(approval?.because).toContain('its class does not inherit');
    expect(approval?.lines.map((line) => [line.line, line.applies, line.decides])).toEqual([
      [1, false, false],
      [2, false, false],
      [3, false, false],
      [4, false, false],
      [5, false, false],
      [6, false, false],
      [7, false, false],
      [8, true, true],
    ]);
    expect(approval?.lines[7]?.data).toEqual({ profile: 'PRF-001', required_links: ['approval', 'owner'] });
    expect(approval?.lines[6]?.data).toEqual(approval?.lines[7]?.data);
    expect(approval?.wouldBe).toBe('relevant');
    expect(approval?.history).toMatchObject([
      { verdictBefore: null, verdictAfter: 'relevant', verdictLine: 8 },
    ]);
    expect(approval?.dirtiedBy).toEqual(
      expect.arrayContaining([
        'a change in collection `dot_tools`, of its births or of the decision about it',
        'a changed rule that reaches scope `approval`',
        'a change of class `dot_tool` or of its profile',
      ]),
    );
  });

  it('is reported as no longer valid after its expiry, without any write', async () => {
    const found = only(await explain('dot_tools', 'DOT-117', { scope: 'audit', at: '2099-01-01T00:00:00Z' }));
    expect(found).toMatchObject({ verdict: 'relevant', valid: false, readsAs: 'stale', known: true });
    expect(found.sentence).toContain(
      `no longer valid and therefore unknown: it expired at ${found.staleAfter}`,
    );
  });

  it('is explained with the reason why it is dirty and the verdict that the current data would give', async () => {
    await asHost(
      estate.url,
      `update governance_candidate_object set dirty = true, dirty_reason = 'handoff:object_retired', dirtied_at = '2026-06-01T10:00:00Z'
       where collection_name = 'dot_tools' and entity_code = 'DOT-020' and scope = 'audit'`,
    );
    await asHost(estate.url, "update dot_tools set status = 'retired' where dot_code = 'DOT-020'");
    const found = only(await explain('dot_tools', 'DOT-020', { scope: 'audit' }));
    expect(found).toMatchObject({ verdict: 'relevant', wouldBe: 'retired', valid: false });
    expect(found.whyNotValid).toBe(
      'it was marked for re-evaluation at 2026-06-01 10:00:00+00 (handoff:object_retired)',
    );
    expect(found.lines.find((line) => line.decides)).toMatchObject({
      line: 3,
      data: { lifecycle_status: 'retired', terminal: true },
    });
    await judge(estate);
    const after = only(await explain('dot_tools', 'DOT-020', { scope: 'audit' }));
    expect(after).toMatchObject({ verdict: 'retired', wouldBe: 'retired', valid: true });
    expect(after.history.map((each) => [each.verdictBefore, each.verdictAfter])).toEqual([
      ['relevant', 'retired'],
      [null, 'relevant'],
    ]);
  });

  it('is deferred if it is a member that was never born, and a tombstone if it is gone', async () => {
    const unborn = await explain('dot_tools', 'DOT-308', { scope: 'audit' });
    expect(unborn).toMatchObject({ known: true, births: [], listed: true });
    expect(only(unborn)).toMatchObject({
      verdict: 'deferred_birth',
      verdictLine: 1,
      wouldBe: 'deferred_birth',
    });
    await asHost(
      estate.url,
      "delete from birth_registry where collection_name = 'policy_registry' and entity_code = 'POL-003'; delete from policy_registry where policy_code = 'POL-003'",
    );
    await judge(estate);
    const gone = await explain('policy_registry', 'POL-003', { scope: 'policy' });
    expect(gone).toMatchObject({ known: true, births: [], listed: false });
    expect(only(gone)).toMatchObject({
      verdict: 'retired',
      verdictLine: 3,
      evidence: { source_row_gone: true },
    });
    expect(only(gone).history[0]).toMatchObject({ verdictAfter: 'retired', cause: 'source_row_gone' });
  });
});

describe('an object without a row', () => {
  it('is represented by its container, which is named with members, owner and anchor', async () => {
    const [code] = await asHost(
      estate.url,
      "select entity_code from birth_registry where collection_name = 'articles' and status = 'born' and entity_code ~ '^A-\\d+$' order by id limit 1",
    );
    const found = only(await explain('articles', String(code?.['entity_code']), { scope: 'approval' }));
    expect(found).toMatchObject({
      representedBy: 'group',
      known: true,
      group: { sourceRegistry: 'articles', objectClass: 'article', inherits: true, anchor: 'collection' },
    });
    expect(found.sentence).toContain(
      'through its container `articles / article / topic / born`, in scope approval was relevant',
    );
    expect(found.because).toMatch(
      /^group [0-9a-f]{32} with .*members.*; GOV-[A-Z-]+ answers for it through the collection$/,
    );
  });

  it('has a row of its own if it differs from its group; its code is escaped and shortened in the output', async () => {
    const escaped = await explain('pages', 'PG-\u001b[31m000002', { scope: 'policy' });
    expect(only(escaped)).toMatchObject({
      verdict: 'needs_input',
      verdictLine: 2,
      representedBy: 'object',
    });
    expect(only(escaped).sentence).toContain(
      '`pages` / `PG-\\u{1b}[31m000002` in scope policy was needs_input',
    );
    const long = only(await explain('documents', 'D'.repeat(6_000), { scope: 'policy' }));
    expect(long.sentence.length).toBeLessThan(500);
    expect(long.sentence).toContain('… (6000 characters)');
    // Colons and slashes are allowed; keys that are equal when joined are kept apart.
    expect((await explain('articles', 'archive/2025:A-1')).known).toBe(true);
    const other = await explain('articles:archive/2025', 'A-1', { scope: 'policy' });
    expect(only(other)).toMatchObject({ verdict: 'unknown', verdictLine: 6, known: true });
  });

  it('is unknown, with the reason, if it does not exist', async () => {
    const missing = await explain('dot_tools', 'DOT-999');
    expect(missing).toMatchObject({ known: false, whyUnknown: 'there is no such birth', births: [] });
    expect(missing.scopes.every((each) => each.verdict === null && each.readsAs === 'unknown')).toBe(true);
    expect(missing.scopes[0]?.sentence).toBe(
      '`dot_tools` / `DOT-999` in scope approval is unknown: there is no such birth',
    );
    expect((await explain('no_such_collection', 'X')).whyUnknown).toContain('no class has such a collection');
    expect(await explain('articles', 'A\0B')).toMatchObject({ known: false, scopes: [] });
    expect(await explain('articles', '\ud800')).toMatchObject({ known: false });
    await expect(explain('articles', 'A-1', { scope: 'nowhere' })).rejects.toMatchObject({ exit: 3 });
  });

  it('is not represented by its group if its class does not inherit', async () => {
    await asHost(
      estate.url,
      "insert into birth_registry (entity_code, collection_name, species_code, status) values ('DOT-NEW', 'dot_tools', 'SP-TOOL', 'born')",
    );
    const found = await explain('dot_tools', 'DOT-NEW');
    expect(found.known).toBe(false);
    expect(found.whyUnknown).not.toBeNull();
  });
});

describe('a group', () => {
  it('is explained in its scope by its group key, and in all scopes by its inventory key', async () => {
    const [row] = await asHost(
      estate.url,
      `select g.group_key, g.inventory_key from governance_group g join governance_inventory i using (inventory_key)
       where i.source_registry = 'orders' and i.lifecycle_status = 'born' and g.scope = 'audit'`,
    );
    const one = await estate.gcos.explanations.group(String(row?.['group_key']));
    expect(only(one)).toMatchObject({
      scope: 'audit',
      known: true,
      verdict: 'relevant',
      representedBy: 'group',
    });
    expect(only(one).sentence).toMatch(/^`orders \/ order \/ channel \/ born` in scope audit was relevant/);
    const all = await estate.gcos.explanations.group(String(row?.['inventory_key']));
    expect(all.scopes).toHaveLength(6);
    expect(await estate.gcos.explanations.group('f00')).toMatchObject({
      known: false,
      whyUnknown: 'no group has this key',
    });
  });
});

describe('an explanation before the first verdict', () => {
  it('reports that no ruleset is in force', async () => {
    const fresh = await createEstate('installed');
    try {
      const found = await fresh.gcos.explanations.object('dot_tools', 'DOT-117');
      expect(found).toMatchObject({ known: false });
      expect(found.whyUnknown).toContain('no ruleset is in force');
    } finally {
      await fresh.close();
    }
  });
});

describe('the lookup of a birth', () => {
  it('uses the index of the host if there is one, and reports how long it took', async () => {
    const lookup = fillParts(readBirths, {
      members: 'select null::text, null::text, null::text where false',
    });
    const text = withLiterals(lookup, { collection: "'articles'", code: "'A-99123'" });
    const plan = async () =>
      (await asHost(estate.url, `explain (costs off) ${text}`))
        .map((row) => String(row['QUERY PLAN']))
        .join('\n');
    expect(await plan()).toContain('birth_registry_entity_idx');
    expect(await plan()).not.toContain('Seq Scan on birth_registry');
    expect((await explain('articles', 'A-99101')).lookupMs).toBeGreaterThanOrEqual(0);
    await asHost(estate.url, 'drop index birth_registry_entity_idx');
    expect(await plan()).toContain('Seq Scan on birth_registry');
    expect((await explain('articles', 'A-99101')).known).toBe(true);
  });
});
