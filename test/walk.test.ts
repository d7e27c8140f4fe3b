// docs/walk.md matches the code. Three walks call the same verbs as the commands: their spans come in the
// order that the page lists, and each stage is defined in the file that the page names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkout } from './support/cli.js';
import { asHost } from './support/database.js';
import { createEstate, type Estate } from './support/estate.js';

const PAGE = join(checkout, 'docs/walk.md');
const page = readFileSync(PAGE, 'utf8');

interface WalkRow {
  readonly span: string;
  readonly file?: string;
  readonly name?: string;
}

function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
}

const between = (from: string, to: string): string => page.slice(page.indexOf(from), page.indexOf(to));
const plain = (cell = ''): string => cell.replaceAll('`', '');

const walk1: readonly WalkRow[] = rowsOf(between('## Walk 1', '## Walk 2')).map(([, span, file, name]) => ({
  span: plain(span),
  file: file?.match(/\((?:\.\.\/)(.*?)\)/)?.[1] ?? '',
  name: plain(name),
}));
const spansOf = (name: string): string[] =>
  rowsOf(between(`<!-- ${name} -->`, `<!-- /${name} -->`)).map(([, span]) => plain(span));

describe('docs/walk.md', () => {
  // Start times do not order spans: a stage and the first stage inside it can start in the same millisecond.
  const started: string[] = [];
  const processor: SpanProcessor = {
    onStart: (span) => started.push(span.name),
    onEnd: () => undefined,
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  let estate: Estate;
  beforeAll(async () => {
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    estate = await createEstate('scanned');
    // The first round stores the current positions in logs and registries.
    await estate.gcos.intakes.once();
    await estate.gcos.scans.run({ mode: 'incremental' });
  });
  afterAll(async () => {
    await estate.close();
    trace.disable();
    context.disable();
  });

  /** The spans of `work` in the order of their start; repetitions in a row are listed once. */
  async function spans(work: () => Promise<unknown>): Promise<string[]> {
    started.length = 0;
    await work();
    return started.filter((name, index) => name !== started[index - 1]);
  }

  /** A status that no article had before creates a new group. */
  const insertBirth = (code: string, status: string) =>
    asHost(
      estate.url,
      `insert into birth_registry (collection_name, entity_code, status) values ('articles', '${code}', '${status}')`,
    );

  it('lists the stages from a birth to its gate answer', async () => {
    const { gcos } = estate;
    await insertBirth('A-WALK-1', 'never seen');
    const taken = await spans(() => gcos.intakes.once());
    const scanned = await spans(() => gcos.scans.run({ mode: 'incremental' }));
    const closed = await spans(() => gcos.scans.run({ mode: 'full' }));
    const checked = await spans(() => gcos.gates.check([{ collection: 'articles', code: 'A-WALK-1' }]));
    // The near round comes first and takes in the birth; the wide round after it finds nothing more.
    const firstRound = taken.slice(0, taken.indexOf('gcos.marks') + 1);
    expect(closed[0]).toBe('gcos.scan');
    expect([
      ...firstRound,
      ...scanned,
      ...closed.filter((name) => name === 'gcos.ledger'),
      ...checked,
    ]).toEqual(walk1.map(({ span }) => span));
  });

  it('lists the stages of an incremental scan', async () => {
    await insertBirth('A-WALK-2', 'born');
    await estate.gcos.intakes.once();
    expect(await spans(() => estate.gcos.scans.run({ mode: 'incremental' }))).toEqual(spansOf('scan'));
  });

  it('lists the stages of a gate check', async () => {
    expect(
      await spans(() => estate.gcos.gates.check([{ collection: 'dot_tools', code: 'DOT-117' }])),
    ).toEqual(spansOf('gate'));
  });

  it.each(walk1)('$span is defined in $file as $name', ({ span, file = '', name }) => {
    const text = readFileSync(join(checkout, file), 'utf8');
    expect(text).toMatch(new RegExp(`const ${name} = defineStage\\(`));
    expect(text).toMatch(new RegExp(`name: '${span.replace('gcos.', '')}'`));
    expect(text.split('\n').length).toBeLessThanOrEqual(400);
  });

  it('leads through fewer than ten files', () => {
    const files = new Set([...walk1.map(({ file }) => file), 'src/answer/gate/schema/evaluate.sql']);
    expect(files.size).toBeLessThan(10);
  });

  it('links only to files that exist', () => {
    const links = [...page.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(20);
    for (const link of links) expect(existsSync(join(checkout, 'docs', link)), link).toBe(true);
  });

  it('states the contract of every stage as in the code (npm run docs writes it)', async () => {
    const stages = [...new Map(walk1.map((each) => [each.span, each])).values()];
    const lines = stages.map(({ span, file = '' }) => {
      const text = readFileSync(join(checkout, file), 'utf8');
      const contract = text.slice(text.indexOf(`name: '${span.replace('gcos.', '')}'`));
      const field = (name: string) => contract.match(new RegExp(`${name}:\\s*'(.*?)',\\n`, 's'))?.[1] ?? '';
      const cells = ['takes', 'returns', 'writes', 'promises'].map(field);
      expect(cells).not.toContain('');
      return `| ${[span.replace('gcos.', ''), `[${file.split('/').at(-1)}](../${file})`, ...cells].join(' | ')} |`;
    });
    const head = page.slice(
      0,
      page.indexOf('|---|---|---|---|---|---|\n') + '|---|---|---|---|---|---|\n'.length,
    );
    const tail = page.slice(page.indexOf('<!-- /stages -->'));
    await expect(`${head}${lines.join('\n')}\n${tail}`).toMatchFileSnapshot(PAGE);
  });
});
