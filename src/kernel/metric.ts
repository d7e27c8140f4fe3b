// Owns the declaration of metrics, and their exposition by prom-client. INVARIANT: a metric that is not
// declared is not exposed, and a label has few values, none of which a caller chooses.
import type { Registry } from 'prom-client';

interface MetricDeclaration {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  /** All values of each label. Another value is exposed as `other`. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Of a gauge: how samples that become `other` combine. Default `max`; counters are added. */
  readonly combine?: 'max' | 'sum';
  /** Of a histogram: the upper bounds, in seconds. */
  readonly buckets?: readonly number[];
}

export type MetricDeclarations = Readonly<Record<string, MetricDeclaration>>;

export interface MetricSample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What was read, per metric. One without a sample is absent, which is not zero. */
export type MetricSamples<D extends MetricDeclarations> = {
  readonly [Name in keyof D]?: readonly MetricSample[];
};

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const OTHER = 'other';

/** The value if it is declared, else `other`. */
function knownLabel(declaration: MetricDeclaration, label: string, value: string): string {
  return declaration.labels?.[label]?.includes(value) ? value : OTHER;
}

/** The samples with known labels only; those that become equal are combined. */
function known(declaration: MetricDeclaration, samples: readonly MetricSample[]): MetricSample[] {
  const adds = declaration.type === 'counter' || declaration.combine === 'sum';
  const once = new Map<string, MetricSample>();
  for (const { labels = {}, value } of samples) {
    const pairs = Object.entries(labels).map(([label, text]) => [
      label,
      knownLabel(declaration, label, text),
    ]);
    const key = JSON.stringify(pairs);
    const before = once.get(key)?.value;
    const combined = before === undefined ? value : adds ? before + value : Math.max(before, value);
    once.set(key, { labels: Object.fromEntries(pairs), value: combined });
  }
  return [...once.values()];
}

/**
 * A registry with the samples. prom-client is loaded here, because a command that exposes nothing does not
 * need it, and loading it takes 30 ms.
 */
async function registryOf<D extends MetricDeclarations>(
  declarations: D,
  samples: MetricSamples<D>,
): Promise<Registry> {
  const { default: prometheus } = await import('prom-client');
  const registry = new prometheus.Registry();
  for (const [name, declaration] of Object.entries(declarations)) {
    const found = known(declaration, samples[name] ?? []);
    if (found.length === 0) continue;
    const { help } = declaration;
    const options = { name, help, labelNames: Object.keys(declaration.labels ?? {}), registers: [registry] };
    if (declaration.type === 'counter') {
      const counter = new prometheus.Counter(options);
      for (const { labels = {}, value } of found) counter.inc(labels, value);
    } else {
      const gauge = new prometheus.Gauge(options);
      for (const { labels = {}, value } of found) gauge.set(labels, value);
    }
  }
  return registry;
}

/** The text that `/metrics` returns for what was just read. */
export async function exposeSamples<D extends MetricDeclarations>(
  declarations: D,
  samples: MetricSamples<D>,
): Promise<string> {
  return (await registryOf(declarations, samples)).metrics();
}
