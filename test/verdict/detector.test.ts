// Detectors are rules stored as data. A detector that cannot be evaluated never counts as passed.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Probed, Prober } from '../../src/db/index.js';
import {
  compareSides,
  functionsIn,
  runDetectors,
  syncDetectorFindings,
} from '../../src/verdict/detector/index.js';
import { asHost, urlFor } from '../support/database.js';
import { createEstate, type Estate, openAt } from '../support/estate.js';

const oneValue = (value: string | null): Probed => ({ outcome: 'rows', rows: [[value]], more: false });

describe('the two sides of a detector', () => {
  it.each([
    ['strict_equals', '3', '3', 'passed'],
    ['strict_equals', '3', '3.00', 'passed'],
    ['strict_equals', '3', '4', 'violated'],
    ['strict_equals', 'a', 'a', 'passed'],
    ['strict_equals', 'a', 'b', 'violated'],
    ['strict_equals', 'DOT-117', 'DOT-117', 'passed'],
    ['strict_equals', `a:b/c_d.e-${'f'.repeat(54)}`, 't', 'violated'],
    ['strict_equals', '9007199254740993', '9007199254740992', 'violated'],
    ['less_or_equal', '-10', '-9.5', 'passed'],
    ['less_or_equal', '10', '9', 'violated'],
    ['at_least', '10', '9', 'passed'],
    ['at_least', '0.1', '0.10', 'passed'],
    ['at_least', '0.09', '0.1', 'violated'],
    ['greater_than', '2', '2', 'violated'],
    ['not_equals', '2', '2.0', 'violated'],
  ])('%s of %s and %s: %s', (comparison, source, target, outcome) => {
    expect(compareSides(comparison, oneValue(source), oneValue(target))).toMatchObject({ outcome });
  });

  it.each([
    ['an unknown comparison', 'resembles', oneValue('1'), oneValue('1'), 'comparison_unknown'],
    ['the name of an inherited property', 'constructor', oneValue('1'), oneValue('1'), 'comparison_unknown'],
    ['no value', 'strict_equals', oneValue(null), oneValue('1'), 'no_value'],
    ['no value on either side', 'strict_equals', oneValue(null), oneValue(null), 'no_value'],
    ['no row', 'strict_equals', { outcome: 'rows', rows: [], more: false }, oneValue('1'), 'not_one_value'],
    [
      'many rows',
      'strict_equals',
      { outcome: 'rows', rows: [['1']], more: true },
      oneValue('1'),
      'not_one_value',
    ],
    [
      'two columns',
      'strict_equals',
      { outcome: 'rows', rows: [['1', '2']], more: false },
      oneValue('1'),
      'not_one_value',
    ],
    ['free text', 'strict_equals', oneValue('two words'), oneValue('two words'), 'not_a_count_or_key'],
    ['an address', 'strict_equals', oneValue('ann@example.org'), oneValue('1'), 'not_a_count_or_key'],
    ['a document', 'not_equals', oneValue('1'), oneValue('{"a":1}'), 'not_a_count_or_key'],
    ['two lines', 'strict_equals', oneValue('a\nb'), oneValue('1'), 'not_a_count_or_key'],
    ['other scripts', 'strict_equals', oneValue('Đặng'), oneValue('1'), 'not_a_count_or_key'],
    ['a long word', 'strict_equals', oneValue('x'.repeat(65)), oneValue('1'), 'not_a_count_or_key'],
    ['a long number', 'strict_equals', oneValue('9'.repeat(41)), oneValue('1'), 'not_a_count_or_key'],
    ['an empty text', 'strict_equals', oneValue(''), oneValue(''), 'not_a_count_or_key'],
    ['an order of texts', 'at_least', oneValue('a'), oneValue('b'), 'not_comparable'],
    [
      'a query that failed',
      'strict_equals',
      { outcome: 'failed', why: 'timeout', sqlstate: null },
      oneValue('1'),
      'timeout',
    ],
    ['a query that was not run', 'strict_equals', oneValue('1'), undefined, 'not_run'],
  ] as const)('are not evaluated with %s', (_, comparison, source, target, why) => {
    expect(compareSides(comparison, source as Probed, target)).toEqual({ outcome: 'not_evaluated', why });
  });
});

describe('the functions that a rule calls', () => {
  it.each([
    ['select count(*) from t', ['count']],
    ['select public.Pg_Sleep (1)', ['pg_sleep']],
    ['select "Odd""Name"(1), $$f($$, \'g(\', $x$ h( $x$ -- k(\n /* m( */', ['Odd"Name']],
    ['select a from b where c in (select d)', ['in']],
  ])('%s', (sql, names) => {
    expect(functionsIn(sql)).toEqual({ names, isHidden: false });
  });
  it.each([
    ['a quote inside a quoted name', `select 1 as "'", pg_sleep(1) as "'"`],
    ['a comment sign inside a quoted name', 'select 1 as "/*", pg_sleep(1) as "*/"'],
    ['a name that ends like a dollar quote', 'select 1 as x$$, pg_sleep(1) as y$$'],
    ['a name that starts with a no-break space', 'select 1 as \u00a0$$, pg_sleep(1) as y$$'],
    ['a dollar quote with a non-ASCII tag', "select $é$ ' $é$, pg_sleep(1), $é$ ' $é$"],
    ['a comment that ends with a carriage return', 'select 1 --\r, pg_sleep(1)'],
    ['a comment before the parenthesis', 'select pg_sleep/* ( */(1)'],
  ])('are found behind %s', (_, sql) => {
    expect(functionsIn(sql)).toEqual({ names: ['pg_sleep'], isHidden: false });
  });
  it.each([
    `select U&"\\0070g_sleep"(1)`,
    `select e'\\'' || pg_sleep(1)`,
    `select 'open`,
    `select 1 /* /* */ ' */, pg_sleep(1) /* ' */`,
    `select 1$$ ' $$, pg_sleep(1), $$ ' $$`,
    'select $1',
    'select 1 as "open',
  ])('cannot be determined in %s', (sql) => {
    expect(functionsIn(sql).isHidden).toBe(true);
  });
});

describe('running detectors', () => {
  const role = `detector_${process.pid}`;
  let estate: Estate;
  let prober: Prober | undefined;
  let close: () => Promise<void>;

  const addDetector = (id: string, source: string, target: string, comparison = 'strict_equals') =>
    asHost(
      estate.url,
      `insert into measurement_registry (measurement_id, measurement_name, law_code, method, source_query, target_query, comparison, severity, enabled)
       values ('${id}', '${id}', 'LAW-19', 1, $q$${source}$q$, $q$${target}$q$, '${comparison}', 'critical', true)`,
    );
  const context = async (runId: string) => {
    const { now } = (await asHost(estate.url, 'select now()::text as now'))[0] as { now: string };
    return {
      runId,
      at: now,
      ruleset: null,
      activeRuleset: null,
    };
  };

  beforeEach(async () => {
    estate = await createEstate('installed');
    await asHost(
      estate.url,
      `create role ${role} login password 'p' noinherit; grant usage on schema public to ${role};
       grant select on all tables in schema public to ${role}; update measurement_registry set enabled = false`,
    );
    const gcos = await openAt(estate.url, {
      GCOS_READER_URL: urlFor(estate.url, { user: role, password: 'p' }),
    });
    prober = await gcos.prober();
    close = () => gcos.close();
    await addDetector('T-1', 'select 1', 'select 1');
    await addDetector('T-2', 'select count(*) from law_catalog', 'select 0');
    await addDetector('T-3', 'select pg_sleep(0)::text', 'select 1');
    await addDetector('T-4', 'select count(*) from no_such_table', 'select 1');
    await addDetector('T-5', 'select 1', 'select 1', 'resembles');
  });
  afterEach(async () => {
    await close();
    await asHost(estate.url, `drop owned by ${role}; drop role ${role}`);
    await estate.close();
  });

  it('reports every detector; one that fails does not stop the others', async () => {
    const { results, ...counts } = await runDetectors(estate.db, prober);
    expect(counts).toMatchObject({ passed: 1, violated: 1, notEvaluated: 3 });
    expect(results.map((each) => [each.detector.id, each.outcome, 'why' in each ? each.why : null])).toEqual([
      ['T-1', 'passed', null],
      ['T-2', 'violated', null],
      ['T-3', 'not_evaluated', 'volatile:pg_sleep'],
      ['T-4', 'not_evaluated', 'refused'],
      ['T-5', 'not_evaluated', 'comparison_unknown'],
    ]);
  });

  it('evaluates nothing without a reader login', async () => {
    expect(await runDetectors(estate.db, undefined)).toMatchObject({
      passed: 0,
      violated: 0,
      notEvaluated: 5,
    });
  });

  it('raises, repeats, resolves and reopens findings; a detector that did not run resolves none; no detector changes', async () => {
    const rows = `select md5(string_agg(m::text, '|' order by measurement_id)) as rows from measurement_registry m`;
    const before = await asHost(estate.url, rows);
    const runAndSync = async (runId: string, reader: { prober: Prober | undefined } = { prober }) => {
      const detection = await runDetectors(estate.db, reader.prober);
      return estate.db.transaction({ isolation: 'repeatable read' }, async (tx) =>
        syncDetectorFindings(tx, detection, await context(runId)),
      );
    };
    const names = (list: readonly { type: string; subject: string }[]) =>
      list.map((each) => `${each.type} ${each.subject}`).sort();
    const first = await runAndSync('d-1');
    expect(names(first.raised)).toEqual([
      'measurement_not_run T-3',
      'measurement_not_run T-4',
      'measurement_not_run T-5',
      'measurement_violated T-2',
    ]);
    expect(await runAndSync('d-2')).toMatchObject({ raised: [], resolved: [], repeated: 4 });
    const withoutReader = await runAndSync('d-3', { prober: undefined });
    expect(names(withoutReader.resolved)).toEqual([]);
    expect(names(withoutReader.raised)).toEqual(['measurement_not_run T-1', 'measurement_not_run T-2']);
    expect(await asHost(estate.url, rows)).toEqual(before);
    await asHost(
      estate.url,
      `update measurement_registry set target_query = source_query where measurement_id = 'T-2'`,
    );
    const cured = await runAndSync('d-4');
    expect(names(cured.resolved)).toEqual([
      'measurement_not_run T-1',
      'measurement_not_run T-2',
      'measurement_violated T-2',
    ]);
    await asHost(
      estate.url,
      `update measurement_registry set target_query = 'select 0' where measurement_id = 'T-2'`,
    );
    expect(names((await runAndSync('d-5')).reopened)).toEqual(['measurement_violated T-2']);
    await asHost(estate.url, `update measurement_registry set enabled = false where measurement_id = 'T-2'`);
    expect(names((await runAndSync('d-6')).resolved)).toEqual(['measurement_violated T-2']);
  });
});
