// Reports for pipelines, read back by packages that GCOS has no part in: the published JSON schema of SARIF,
// and a parser of JUnit XML.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { parse } from 'junit2json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  annotationsOf,
  junitOf,
  type Report,
  type ReportResult,
  sarifOf,
} from '../../src/answer/report/index.js';
import { createEstate, type Estate } from '../support/estate.js';
import { runHere } from '../support/in-process.js';

const HOSTILE = 'a"b<c>&\'d\ne\rf\tg\u{1b}[31mh\u{202e}i::warning::%0A,]]>\u{1f600}\u{0}';
const base: ReportResult = {
  rule: 'owner_gap',
  level: 'error',
  message: 'orders has no owner',
  fix: `COMMENT ON TABLE public.orders IS '@owner team-checkout';`,
  subjects: [{ name: 'table public.orders', key: 'public.orders', kind: 'table' }],
  fingerprint: 'f1',
  accepted: null,
};
const report: Report = {
  title: 'a report',
  version: '1.2.3',
  results: [
    base,
    { ...base, level: 'warning', message: HOSTILE, fix: HOSTILE, fingerprint: 'f2', rule: HOSTILE },
    { ...base, level: 'note', fix: null, fingerprint: 'f3' },
    { ...base, level: 'pass', rule: 'gate', fix: null, fingerprint: 'f4', message: 'fine' },
    { ...base, fingerprint: 'f5', accepted: { by: 'GEX-0001', reason: HOSTILE, until: '2027-01-01' } },
  ],
};

function validateSarif(text: string): { runs: { results: Record<string, unknown>[] }[] } {
  const path = createRequire(import.meta.url).resolve('schemastore/schemas/json/sarif-2.1.0.json');
  // The schema's formats (uri, date-time) are annotations here.
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
    JSON.parse(readFileSync(path, 'utf8')),
  );
  const document: unknown = JSON.parse(text);
  expect(validate(document), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
  return document as ReturnType<typeof validateSarif>;
}

describe('a report', () => {
  it('as SARIF fits the published schema, with fingerprint, place, fix and suppression of each result', () => {
    const [run] = validateSarif(sarifOf(report)).runs;
    expect(run?.results).toMatchObject([
      {
        ruleId: 'owner_gap',
        kind: 'fail',
        level: 'error',
        message: { text: `orders has no owner\nFix: ${base.fix}` },
        locations: [
          {
            logicalLocations: [
              { name: 'table public.orders', fullyQualifiedName: 'public.orders', kind: 'table' },
            ],
          },
        ],
        partialFingerprints: { 'gcos/v1': 'f1' },
        suppressions: [],
        properties: { fix: base.fix },
      },
      { ruleId: HOSTILE, level: 'warning', message: { text: `${HOSTILE}\nFix: ${HOSTILE}` } },
      { level: 'note' },
      { kind: 'pass', level: 'none' },
      { suppressions: [{ kind: 'external', status: 'accepted' }] },
    ]);
    // The schema is not a formality.
    expect(() =>
      validateSarif(sarifOf({ ...report, results: [{ ...base, level: 'grave' as 'error' }] })),
    ).toThrow(/level/);
  });

  it('as JUnit XML is read back by a parser: failures, skipped, passed', async () => {
    const suites = await parse(junitOf(report));
    const suite = suites && 'testsuite' in suites ? suites.testsuite?.[0] : undefined;
    expect(suite).toMatchObject({ name: 'a report', tests: 5, failures: 2, errors: 0, skipped: 1 });
    const shown = HOSTILE.replace('\u{1b}', '\\u{1b}').replace('\u{0}', '\\u{0}');
    expect(suite?.testcase).toMatchObject([
      {
        classname: 'owner_gap',
        name: 'table public.orders',
        failure: [{ type: 'owner_gap', message: 'orders has no owner', inner: `Fix: ${base.fix}` }],
      },
      { failure: [{ message: shown, inner: `Fix: ${shown}` }] },
      { 'system-out': ['orders has no owner'] },
      { classname: 'gate' },
      { skipped: [{ message: `GEX-0001: ${shown} (until 2027-01-01)` }] },
    ]);
  });

  it('as annotations is one line per open problem, which no name can break out of', () => {
    const lines = annotationsOf(report);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      `::error title=gcos%3A owner_gap::orders has no owner%0AFix: ${base.fix?.replaceAll('%', '%25')}`,
    );
    expect(lines[1]).toContain('warning::%250A,]]>');
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) title=[^:,\r\n]*::[^\r\n]*$/);
  });
});

describe('--format', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('reconciled');
  });
  afterAll(() => estate?.close());
  const run = (...args: string[]) => runHere(args, { DATABASE_URL: estate.url });

  it('reports every finding and every fix, and the gaps that exceptions accept', async () => {
    const found = await run('finding', 'list', '--format', 'sarif');
    const [findings] = validateSarif(found.stdout).runs;
    const all = await estate.gcos.findings.list({ limit: 10_000 });
    const accepted = await estate.gcos.exceptions.list({ status: 'in_force' });
    expect(all.findings.length).toBeGreaterThan(20);
    expect(findings?.results).toHaveLength(all.findings.length + accepted.length);
    const [fixes] = validateSarif(
      (await run('finding', 'list', '--by-fix', '--format', 'sarif')).stdout,
    ).runs;
    const { total } = await estate.gcos.fixes.list();
    expect(fixes?.results).toHaveLength(total + accepted.length);
    // The same problem has the same fingerprint in every run.
    expect((await run('finding', 'list', '--format', 'sarif')).stdout).toBe(found.stdout);
    const prints = findings?.results.map((each) => JSON.stringify(each['partialFingerprints']));
    expect(new Set(prints).size).toBe(prints?.length);
    const owned = await parse(
      (await run('finding', 'list', '--type', 'owner_gap', '--format', 'junit')).stdout,
    );
    const gaps = all.findings.filter((each) => each.type === 'owner_gap');
    expect(owned && 'tests' in owned ? owned.tests : undefined).toBe(gaps.length);
    expect(await run('finding', 'list', '--format', 'github', '--fail-on', 'high')).toMatchObject({
      exit: 2,
      stdout: expect.stringMatching(/^::error title=gcos%3A/),
    });
  });

  it('reports the gate without changing its answer, and names no two formats', async () => {
    const blocked = await run('gate', 'check', 'dot_tools', 'DOT-117', '--format', 'junit');
    expect(blocked.exit).toBe(2);
    const text = await run('gate', 'check', 'dot_tools', 'DOT-117');
    const answer = await estate.gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-117' }]);
    expect(await parse(blocked.stdout)).toMatchObject({
      failures: answer.decisions[0]?.reasons.length,
    });
    expect(text.stdout).toContain('BLOCK');
    const sarif = await run('gate', 'check', 'dot_tools', 'DOT-117', '--format', 'sarif');
    const [checked] = validateSarif(sarif.stdout).runs;
    expect(checked?.results[0]).toMatchObject({
      level: 'error',
      properties: { fix: expect.stringContaining('can give') },
    });
    expect(
      JSON.parse((await run('gate', 'check', 'dot_tools', 'DOT-117', '--format', 'json')).stdout),
    ).toMatchObject({ answer: 'block' });
    for (const flags of [
      ['--json', '--format', 'sarif'],
      ['--format', 'xml'],
      ['--at', '2026-01-01', '--format', 'junit'],
    ])
      expect((await run('gate', 'check', 'dot_tools', 'DOT-117', ...flags)).exit, flags.join(' ')).toBe(3);
  });
});
