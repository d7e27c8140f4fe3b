// The input gate on the demo estate: for each input state the row, its verdict and its finding.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INPUT_STATES } from '../../src/verdict/input/index.js';
import { createEstate, type Estate } from '../support/estate.js';
import { inputAt, needsInput } from '../support/input.js';

const COVERAGE = `(select finding_type from governance_finding_type where family = 'coverage')`;
let estate: Estate;
const { all, one, ownOf, groupStates, openFindings } = inputAt(() => estate.url);
const coverageFindings = () =>
  all(
    `select finding_type from governance_finding_key where finding_type in ${COVERAGE}
     and finding_type not in ('governance_schema_drift', 'issue_event_gap')`,
  );

describe('before the first backfill', () => {
  beforeAll(async () => {
    estate = await createEstate('ruled');
  });
  afterAll(() => estate?.close());

  it('needs_backfill: every birth until the first backfill has evaluated it', async () => {
    // A run that fails right after its start.
    await expect(
      estate.gcos.backfills.run({
        onProgress: ({ step }) => {
          if (step === 'sweep') throw new Error('killed');
        },
      }),
    ).rejects.toThrow();
    const states = await all(
      `select distinct input_quality_state as state, candidate_verdict as verdict from governance_candidate_state where row_state = 'active'`,
    );
    expect(states).toEqual([{ state: 'needs_backfill', verdict: 'unknown' }]);
    expect((await estate.gcos.inputs.list()).counts['needs_backfill']).toBeGreaterThanOrEqual(0n);
    const report = await estate.gcos.backfills.run({});
    expect(report.proof.closed && report.ledger?.closes).toBe(true);
    expect(
      await all(
        `select 1 from governance_candidate_state where row_state = 'active' and input_quality_state = 'needs_backfill'`,
      ),
    ).toEqual([]);
  });
});

describe('the input states of the estate', () => {
  // These tests only read, and share one estate.
  beforeAll(async () => {
    estate = await createEstate('backfilled');
  });
  afterAll(() => estate?.close());

  it('birth_or_registry_missing: deferred, without a finding', async () => {
    for (const [collection, code] of [
      ['dot_tools', 'DOT-308'],
      ['dot_tools', 'DOT-309'],
      ['route_registry', 'RT-030'],
      ['route_registry', 'RT-032'],
    ] as const)
      expect(await ownOf(collection, code)).toEqual([
        { state: 'birth_or_registry_missing', verdict: 'deferred_birth' },
      ]);
    expect(
      await all(
        `select 1 from governance_finding_key where subject in ('dot_tools', 'route_registry') and finding_type like 'input%' and finding_type <> 'input_duplicate'`,
      ),
    ).toEqual([]);
  });

  it('invalid_schema: control characters, no code, long codes, born in 2999', async () => {
    for (const [collection, code] of [
      ['articles', 'A-\u000199151'],
      ['articles', 'A-99152\n'],
      ['pages', 'PG-\u001b[31m000002'],
      ['articles', ''],
      ['documents', 'D'.repeat(6_000)],
      ['media_files', 'MF-29991231'],
    ] as const)
      expect(await ownOf(collection, code), code).toEqual(needsInput('invalid_schema'));
    expect((await openFindings('input_invalid_schema')).map((row) => row['subject'])).toEqual([
      'articles',
      'articles',
      'articles',
      'documents',
      'media_files',
      'pages',
    ]);
  });

  it('incomplete_input: species, status or role missing where the contract requires it', async () => {
    for (const [collection, code] of [
      ['invoices', 'INV-900001'],
      ['invoices', 'INV-900002'],
      ['articles', 'A-90000003'],
      ['payments', 'PAY-900004'],
      ['orders', 'ORD-900006'],
    ] as const)
      expect(await ownOf(collection, code), code).toEqual(needsInput('incomplete_input'));
    // The contract of these collections allows an unknown status and a missing origin.
    expect(await ownOf('orders', 'ORD-900005')).toEqual([]);
    expect(await ownOf('tasks', 'TK-900007')).toEqual([]);
    expect((await openFindings('input_incomplete')).map((row) => row['subject'])).toEqual([
      'articles',
      'invoices',
      'orders',
      'payments',
    ]);
  });

  it('untrusted_source: the whole group, because every birth comes from an untrusted source', async () => {
    expect(await groupStates('partner_feed_items')).toEqual(needsInput('untrusted_source'));
    expect(
      await all(`select 1 from governance_candidate_object where collection_name = 'partner_feed_items'`),
    ).toEqual([]);
    const [line] = (await estate.gcos.inputs.list({ state: 'untrusted_source' })).inputs;
    expect(line).toMatchObject({
      collection: 'partner_feed_items',
      code: null,
      cause: 'FEED-UNVERIFIED',
      scopes: null,
    });
    expect((await openFindings('input_untrusted_source')).map((row) => row['subject'])).toEqual([
      'partner_feed_items',
    ]);
  });

  it('duplicate and conflict: a second birth of a key, with equal or different content', async () => {
    expect(await ownOf('articles', 'A-99101')).toEqual(needsInput('duplicate'));
    expect(await ownOf('dot_tools', 'DOT-030')).toEqual(needsInput('duplicate'));
    expect(await ownOf('customers', 'CU-000001')).toEqual(needsInput('conflict'));
    expect((await openFindings('input_duplicate')).map((row) => row['subject'])).toEqual([
      'articles',
      'dot_tools',
    ]);
    expect((await openFindings('input_conflict')).map((row) => row['subject'])).toEqual(['customers']);
  });

  it('stale: older than the limit', async () => {
    expect(await ownOf('articles', 'A-19700101')).toEqual(needsInput('stale'));
    expect((await openFindings('input_stale')).map((row) => row['subject'])).toEqual(['articles']);
  });

  it('accepted_for_candidate_scan: nearly all births, without a stored row', async () => {
    const notAccepted = await one(
      `select count(*)::int as n from governance_input_state where cured_at is null and cause <> 'never_born'`,
    );
    expect(notAccepted).toEqual({ n: 17 });
    expect(await groupStates('articles')).not.toContainEqual({
      state: expect.any(String),
      verdict: 'needs_input',
    });
    expect(INPUT_STATES).toHaveLength(10);
  });

  it('bad input has no coverage finding, is not relevant, and is not evaluated for coverage', async () => {
    expect(await coverageFindings()).toEqual([]);
    expect(
      await all(
        `select 1 from governance_candidate_object where row_state = 'active' and input_quality_state is not null
         and (coverage_required or coverage_outcome is not null or candidate_verdict not in ('needs_input', 'deferred_birth'))`,
      ),
    ).toEqual([]);
    expect(
      await all(
        `select 1 from governance_candidate_state where row_state = 'active' and input_quality_state is not null
         and (coverage_required or coverage_outcome is not null)`,
      ),
    ).toEqual([]);
  });
});
