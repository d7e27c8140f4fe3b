// The dashboard in examples/grafana is one that Grafana imports, and every metric in it is declared, and so
// exposed (test/work/worker-metrics.test.ts, test/server/metrics.test.ts).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { MetricDeclarations } from '../src/kernel/index.js';
import { SERVER_METRICS } from '../src/server/index.js';
import { WORKER_METRICS } from '../src/work/worker/index.js';
import { checkout } from './support/cli.js';

const declared: MetricDeclarations = { ...WORKER_METRICS, ...SERVER_METRICS };

const place = z.object({
  h: z.int().min(1),
  w: z.int().min(1).max(24),
  x: z.int().min(0).max(23),
  y: z.int().min(0),
});
const source = z.strictObject({ type: z.literal('prometheus'), uid: z.literal(`$\{datasource}`) });
const panel = z.discriminatedUnion('type', [
  z.object({ id: z.int(), type: z.literal('row'), title: z.string().min(1), gridPos: place }),
  z.object({
    id: z.int(),
    type: z.enum(['stat', 'timeseries']),
    title: z.string().min(1),
    description: z.string().min(1),
    datasource: source,
    gridPos: place,
    fieldConfig: z.object({ defaults: z.object({ unit: z.string() }), overrides: z.array(z.never()) }),
    targets: z.array(z.object({ refId: z.string(), datasource: source, expr: z.string() })).min(1),
  }),
]);
const dashboard = z.object({
  title: z.literal('GCOS'),
  uid: z.string().min(1).max(40),
  schemaVersion: z.int().min(39),
  templating: z.object({
    list: z.array(z.object({ name: z.string(), type: z.enum(['datasource', 'query']) })),
  }),
  panels: z.array(panel).min(1),
});

const text = readFileSync(join(checkout, 'examples/grafana/gcos.json'), 'utf8');
const found = dashboard.parse(JSON.parse(text));
const queries = found.panels.flatMap((each) =>
  'targets' in each ? each.targets.map(({ expr }) => expr) : [],
);

/** The metric that a name in a query belongs to. */
const metricOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '');

it('is a dashboard: variables are declared, panels have their own ids and do not overlap', () => {
  expect(new Set(found.panels.map(({ id }) => id)).size).toBe(found.panels.length);
  const variables = [...text.matchAll(/\$\{?([a-z]+)\}?/g)].map(([, name]) => name);
  expect([...new Set(variables)].sort()).toEqual(found.templating.list.map(({ name }) => name).sort());
  const cells = found.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(found.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
});

it('names only metrics that are exposed, with labels that they have, and every metric', () => {
  const used = new Set<string>();
  for (const query of [
    ...queries,
    ...[...text.matchAll(/label_values\((\w+)/g)].map(([, name]) => name ?? ''),
  ]) {
    const names = query.match(/gcos_\w+/g) ?? [];
    expect(names.length, query).toBeGreaterThan(0);
    for (const name of names) used.add(metricOf(name));
    const [metric] = names;
    const labels = ['job', 'le', ...Object.keys(declared[metricOf(metric ?? '')]?.labels ?? {})];
    const asked = [
      ...[...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => (list ?? '').split(', ')),
      ...[...query.matchAll(/[{,](\w+)=/g)].map(([, label]) => label ?? ''),
    ];
    expect(
      asked.filter((label) => !labels.includes(label)),
      query,
    ).toEqual([]);
  }
  expect([...used].sort()).toEqual(Object.keys(declared).sort());
});
