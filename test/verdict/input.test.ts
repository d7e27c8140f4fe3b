// The input gate on the demo estate: each of the ten states, from the row that has it to the verdict and the finding; corrections,
// relapses, decisions of people; and that nothing else is touched.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServerTime, type Transaction } from '../../src/db/index.js';
import { readActive } from '../../src/rule/ruleset/index.js';
import {
  evaluateGroups,
  materializeObjects,
  readObjectRows,
  readRules,
  reviseObjects,
  type Triple,
} from '../../src/verdict/candidate/index.js';
import {
  INPUT_STATES,
  judgeBirths,
  readSources,
  settleSources,
  takeInputChanges,
} from '../../src/verdict/input/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People, type Person } from '../support/people.js';

const COVERAGE = `(select finding_type from governance_finding_type where family = 'coverage')`;
let estate: Estate;
let people: People;
let operator: Person;
const all = (sql: string) => asHost(estate.url, sql);
const one = async (sql: string) => (await all(sql))[0];
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** What is stored about one object: its states and verdicts in all scopes, each once. */
async function ownOf(collection: string, code: string) {
  return all(
    `select distinct input_quality_state as state, candidate_verdict as verdict from governance_candidate_object
     where row_state = 'active' and collection_name = ${quoted(collection)} and entity_code = ${quoted(code)} order by 1`,
  );
}
const groupStates = (collection: string) =>
  all(
    `select distinct s.input_quality_state as state, s.candidate_verdict as verdict
     from governance_candidate_state s join governance_inventory i using (inventory_key)
     where s.row_state = 'active' and i.source_registry = ${quoted(collection)} order by 1, 2`,
  );
const openFindings = (type: string) =>
  all(
    `select f.subject, f.coalesce_key, i.status, i.reopen_count::int as reopens from governance_finding_key f
     join system_issues i on i.code = f.issue_code where f.finding_type = '${type}' and i.status = 'open' order by 1, 2`,
  );
const coverageFindings = () =>
  all(
    `select finding_type from governance_finding_key where finding_type in ${COVERAGE}
     and finding_type not in ('governance_schema_drift', 'issue_event_gap')`,
  );

/** Every candidate row as it is, except those of one object. */
const othersThan = (collection: string, code: string) =>
  one(
    `select md5(string_agg(x, '|' order by x)) as rows from (
       select s::text as x from governance_candidate_state s
       union all
       select o::text from governance_candidate_object o
       where (o.collection_name, o.entity_code) <> (${quoted(collection)}, ${quoted(code)})) c`,
  );

const needsInput = (state: string) => [{ state, verdict: 'needs_input' }];

beforeAll(async () => {
  estate = await createEstate('ruled');
  people = createPeople(estate.url);
  operator = await people.person('keeper', 'member');
});
afterAll(async () => {
  await people?.close();
  await estate?.close();
});

describe('the ten input states of the estate', () => {
  it('needs_backfill: every birth, until the first backfill has passed it', async () => {
    // As a run that is killed right after it began leaves it.
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

  it('birth_or_registry_missing: deferred, and nobody’s finding', async () => {
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

  it('incomplete_input: no species, no status, no role, where the contract requires them', async () => {
    for (const [collection, code] of [
      ['invoices', 'INV-900001'],
      ['invoices', 'INV-900002'],
      ['articles', 'A-90000003'],
      ['payments', 'PAY-900004'],
      ['orders', 'ORD-900006'],
    ] as const)
      expect(await ownOf(collection, code), code).toEqual(needsInput('incomplete_input'));
    // An unknown status and a missing origin are nothing their contract forbids.
    expect(await ownOf('orders', 'ORD-900005')).toEqual([]);
    expect(await ownOf('tasks', 'TK-900007')).toEqual([]);
    expect((await openFindings('input_incomplete')).map((row) => row['subject'])).toEqual([
      'articles',
      'invoices',
      'orders',
      'payments',
    ]);
  });

  it('untrusted_source: the whole group, because all of it comes from a source nobody trusts', async () => {
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

  it('duplicate and conflict: the same key again, with the same content or another', async () => {
    expect(await ownOf('articles', 'A-99101')).toEqual(needsInput('duplicate'));
    expect(await ownOf('dot_tools', 'DOT-030')).toEqual(needsInput('duplicate'));
    expect(await ownOf('customers', 'CU-000001')).toEqual(needsInput('conflict'));
    expect((await openFindings('input_duplicate')).map((row) => row['subject'])).toEqual([
      'articles',
      'dot_tools',
    ]);
    expect((await openFindings('input_conflict')).map((row) => row['subject'])).toEqual(['customers']);
  });

  it('stale: older than anything may be', async () => {
    expect(await ownOf('articles', 'A-19700101')).toEqual(needsInput('stale'));
    expect((await openFindings('input_stale')).map((row) => row['subject'])).toEqual(['articles']);
  });

  it('quarantined: set aside by a person, until released', async () => {
    const key = { collection: 'articles', code: 'A-99123' };
    const before = await othersThan(key.collection, key.code);
    await operator.gcos.inputs.quarantine([key], { reason: 'looks odd' });
    await estate.gcos.backfills.run({});
    expect(await ownOf(key.collection, key.code)).toEqual(needsInput('quarantined'));
    expect((await openFindings('input_quarantined')).map((row) => row['subject'])).toEqual(['articles']);
    expect(await othersThan(key.collection, key.code)).toEqual(before);
    await operator.gcos.inputs.release([key]);
    await estate.gcos.backfills.run({});
    expect(await ownOf(key.collection, key.code)).toEqual([]);
    expect(await openFindings('input_quarantined')).toEqual([]);
    const audit = await all(
      `select action, changed_by from registry_changelog where entity_type = 'governance_input' order by id`,
    );
    expect(audit).toEqual([
      { action: 'quarantine', changed_by: `gcos:${operator.login} for keeper` },
      { action: 'release', changed_by: `gcos:${operator.login} for keeper` },
    ]);
  });

  it('accepted_for_candidate_scan: nearly everything, without a row anywhere', async () => {
    const held = await one(
      `select count(*)::int as n from governance_input_state where cured_at is null and cause <> 'never_born'`,
    );
    expect(held).toEqual({ n: 17 });
    expect(await groupStates('articles')).not.toContainEqual({
      state: expect.any(String),
      verdict: 'needs_input',
    });
    expect(INPUT_STATES).toHaveLength(10);
  });

  it('none of the bad ones has a coverage finding, is relevant, or was looked at for coverage', async () => {
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

const triple = async (tx: Transaction): Promise<Triple> => {
  const ref = await one('select max(source_snapshot_ref)::text as ref from governance_candidate_state');
  return {
    snapshotRef: BigInt(String(ref?.['ref'])),
    rulesetVersion: (await readActive(tx))?.version ?? '',
    runId: 'test-run',
    at: await readServerTime(tx),
  };
};

describe('corrections and relapses', () => {
  it('a bad row among many leaves the others as they were; corrected it is accepted, its finding resolved, and reopened on relapse', async () => {
    const before = await othersThan('orders', 'ORD-BAD');
    await all(
      `insert into birth_registry (entity_code, collection_name, species_code, status, governance_role, dot_origin)
       values ('ORD-BAD', 'orders', null, 'born', 'governed', 'DOT-014')`,
    );
    const run = async () => {
      const report = await estate.gcos.backfills.run({});
      expect(report.proof.closed && report.ledger?.closes).toBe(true);
    };
    const finding = async () =>
      (await openFindings('input_incomplete')).filter(
        (row) =>
          String(row['coalesce_key']).includes('orders') && String(row['coalesce_key']).includes('species'),
      );
    await run();
    expect(await ownOf('orders', 'ORD-BAD')).toEqual(needsInput('incomplete_input'));
    expect(await finding()).toMatchObject([{ reopens: 0 }]);
    expect(await othersThan('orders', 'ORD-BAD')).toEqual(before);
    const set = (species: string) =>
      all(`update birth_registry set species_code = ${species} where entity_code = 'ORD-BAD'`);
    const good = `(select species_code from birth_registry where entity_code = 'ORD-000006')`;
    await set(good);
    await run();
    expect(await ownOf('orders', 'ORD-BAD')).toEqual([]);
    expect(await finding()).toEqual([]);
    await set('null');
    await run();
    expect(await finding()).toMatchObject([{ reopens: 1 }]);
    // Twice more, and it stays aside even when it is right again.
    await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const options = await triple(tx);
      const become = async (species: string) => {
        await tx.script(`update birth_registry set species_code = ${species} where entity_code = 'ORD-BAD'`);
        const rules = await readRules(tx);
        await reviseObjects(tx, [{ collection: 'orders', code: 'ORD-BAD' }], { ...options, rules });
        const rows = await readObjectRows(tx, {
          keys: [{ collection: 'orders', code: 'ORD-BAD' }],
          at: options.at,
        });
        return rows.find((row) => row.rowState === 'active')?.inputQualityState ?? null;
      };
      expect(await become(good)).toBeNull();
      expect(await become('null')).toBe('incomplete_input');
      expect(await become(good)).toBeNull();
      expect(await become('null')).toBe('incomplete_input');
      expect(await become(good)).toBe('quarantined');
    });
  });
});

describe('trust', () => {
  it('is per scope, and taken away from a source it holds back only where it was taken away', async () => {
    await operator.gcos.inputs.trust({
      kind: 'origin',
      source: 'FEED-UNVERIFIED',
      scope: 'policy',
      level: 'trusted',
    });
    await estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const change = { objects: [], origins: ['FEED-UNVERIFIED'], collections: [] };
      const nothing = { objects: [], origins: [], collections: [] };
      // To be marked once; to be evaluated, though it was marked.
      expect(await takeInputChanges(tx, { evaluated: false })).toEqual(change);
      expect(await takeInputChanges(tx, { evaluated: false })).toEqual(nothing);
      expect(await takeInputChanges(tx, { evaluated: true })).toEqual(change);
      expect(await takeInputChanges(tx, { evaluated: true })).toEqual(nothing);
    });
    await estate.gcos.backfills.run({});
    const states = await all(
      `select s.scope, s.candidate_verdict as verdict from governance_candidate_state s join governance_inventory i using (inventory_key)
       where s.row_state = 'active' and i.source_registry = 'partner_feed_items' and s.scope in ('policy', 'health') order by 1`,
    );
    expect(states).toEqual([
      { scope: 'health', verdict: 'needs_input' },
      { scope: 'policy', verdict: 'relevant' },
    ]);
    await operator.gcos.inputs.trust({ kind: 'origin', source: 'FEED-UNVERIFIED', level: 'monitored' });
    await estate.gcos.backfills.run({});
    expect((await groupStates('partner_feed_items')).filter((row) => row['state'] !== null)).toEqual([]);
    expect(await openFindings('input_untrusted_source')).toEqual([]);
  });

  it('without a row the risk of the class decides: denied to write, watched to read', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const { input } = await readRules(tx);
      const level = (risk: string | null, collection = 'x') =>
        input.trustIn({ collection, origin: 'nobody', risk }, 'policy');
      expect([level('write_high'), level('write_low'), level('read'), level('descriptive')]).toEqual([
        'denied',
        'denied',
        'monitored',
        'monitored',
      ]);
      expect(level('something new')).toBe('denied');
      expect(input.trustIn({ collection: 'x', origin: 'DOT-014', risk: 'write_high' }, 'policy')).toBe(
        'trusted',
      );
      expect(input.trustIn({ collection: 'orders', origin: null, risk: 'write_low' }, 'policy')).toBe(
        'monitored',
      );
    }));

  it('a single untrusted birth in a container is untrusted by itself; the container is not', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      await tx.script(
        `insert into birth_registry (id, entity_code, collection_name, species_code, status, governance_role, dot_origin)
         select 60000001, 'ORD-FOREIGN', 'orders', species_code, status, governance_role, 'somebody'
         from birth_registry where entity_code = 'ORD-000006'`,
      );
      const options = await triple(tx);
      const rules = await readRules(tx);
      const { single } = await settleSources(tx, await readSources(tx, rules.input), {
        ...rules,
        at: options.at,
      });
      expect(single).toEqual([{ collection: 'orders', code: 'ORD-FOREIGN' }]);
      const settled = { ...options, rules: await readRules(tx) };
      await reviseObjects(tx, single, settled);
      await evaluateGroups(tx, settled);
      const [judged] = await judgeBirths(tx, { ids: [60000001n] }, { ...rules, at: options.at });
      expect(judged).toMatchObject({ state: null, deniedIn: rules.scopes });
      expect((await readRules(tx)).input.wholeIn('orders', 'policy')).toBeNull();
    }));

  it('a denied collection and a contract that is missing where one is required concern the whole group', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      await tx.script(
        `insert into governance_input_trust (source_kind, source, scope, level, set_by, set_at)
         values ('collection', 'tags', '*', 'denied', 'test', now()) on conflict (source_kind, source, scope) do update set level = 'denied';
         delete from governance_input_contract where collection_name in ('payments', 'tasks')`,
      );
      const options = await triple(tx);
      const before = await readRules(tx);
      const { changed } = await settleSources(tx, await readSources(tx, before.input), {
        ...before,
        at: options.at,
      });
      expect(new Set(changed)).toEqual(new Set(['tags', 'payments']));
      const { input } = await readRules(tx);
      expect(input.wholeIn('tags', 'audit')).toBe('untrusted_source');
      expect(input.wholeIn('payments', 'audit')).toBe('incomplete_input');
      // Reading takes no contract.
      expect(input.wholeIn('tasks', 'audit')).toBeNull();
    }));

  it('a contract may ask for a pattern, a length, an age', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      await tx.script(
        `update governance_input_contract set code_pattern = '^V-', code_length = 8, max_age = interval '100 years'
         where collection_name = 'venues';
         insert into birth_registry (id, entity_code, collection_name, born_at) values
           (60000001, 'W-1', 'venues', now()), (60000002, 'V-123456789', 'venues', now()), (60000003, 'V-1', 'venues', '1900-01-01')`,
      );
      const rules = await readRules(tx);
      const at = await readServerTime(tx);
      const judged = await judgeBirths(tx, { ids: [60000001n, 60000002n, 60000003n] }, { ...rules, at });
      expect(judged.map(({ code, state, cause }) => [code, state, cause])).toEqual([
        ['V-1', 'stale', 'born_before_limit'],
        ['V-123456789', 'invalid_schema', 'code_too_long'],
        ['W-1', 'invalid_schema', 'code_pattern'],
      ]);
    }));

  it('decides under its own name only: strangers, other people’s names and unknown objects are refused', async () => {
    const stranger = await people.login('stranger');
    const key = { collection: 'articles', code: 'A-99124' };
    await expect(stranger.gcos.inputs.quarantine([key])).rejects.toMatchObject({ code: 'actor_unknown' });
    await expect(operator.gcos.inputs.quarantine([key], { as: 'SOMEBODY' })).rejects.toMatchObject({
      code: 'actor_not_allowed',
    });
    await expect(
      operator.gcos.inputs.quarantine([key, { collection: 'articles', code: 'no such' }]),
    ).rejects.toMatchObject({
      code: 'input_object_unknown',
    });
    await expect(operator.gcos.inputs.release([key])).rejects.toMatchObject({
      code: 'input_not_quarantined',
    });
    await expect(
      operator.gcos.inputs.trust({ kind: 'origin', source: 'DOT-014', scope: 'nowhere', level: 'denied' }),
    ).rejects.toMatchObject({ code: 'input_invalid' });
    expect(await operator.gcos.inputs.quarantine([key], { dryRun: true })).toMatchObject({
      changed: 1,
      verified: true,
    });
    expect(await all(`select 1 from governance_input_state where entity_code = 'A-99124'`)).toEqual([]);
    for (const table of ['governance_input_trust', 'governance_input_contract', 'governance_input_state'])
      await expect(
        asHost(
          operator.url,
          `update ${table} set collection_name = 'x'`.replace(
            /trust set collection_name/,
            'trust set source',
          ),
        ),
      ).rejects.toMatchObject({
        code: '42501',
      });
  });

  it('looked at again nothing is written', () =>
    estate.db.rehearse({ isolation: 'repeatable read' }, async (tx) => {
      const options = await triple(tx);
      const rules = await readRules(tx);
      const at = options.at;
      const state = () =>
        all(
          `select md5(string_agg(s::text, '|' order by subject_key)) as rows from governance_input_state s`,
        );
      const before = await state();
      expect((await settleSources(tx, await readSources(tx), { ...rules, at })).changed).toEqual([]);
      await materializeObjects(tx, { ...options, rules, of: { first: 1n, last: 2n ** 31n - 1n } });
      await tx.script('set constraints all immediate');
      expect(await state()).toEqual(before);
    }));
});
