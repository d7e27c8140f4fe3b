// Owns the declaration of metrics, and their exposition by prom-client. INVARIANT: a metric that is not
// declared is not exposed, and a label has few values, none of which a caller chooses.
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';

interface MetricDeclaration {
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  /**
   * All values of each label: another value is exposed as `other`. A text says what the values are where the
   * code that counts has only few.
   */
  readonly labels?: Readonly<Record<string, readonly string[] | string>>;
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
  const values = declaration.labels?.[label] ?? [];
  return typeof values === 'string' || values.includes(value) ? value : OTHER;
}

const knownLabels = (declaration: MetricDeclaration, labels: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(labels).map(([label, value]) => [label, knownLabel(declaration, label, value)]),
  );

/** The samples with known labels only; those that become equal are combined. */
function known(declaration: MetricDeclaration, samples: readonly MetricSample[]): MetricSample[] {
  const adds = declaration.type === 'counter' || declaration.combine === 'sum';
  const once = new Map<string, MetricSample>();
  for (const { labels = {}, value } of samples) {
    const all = knownLabels(declaration, labels);
    const key = JSON.stringify(all);
    const before = once.get(key)?.value;
    const combined = before === undefined ? value : adds ? before + value : Math.max(before, value);
    once.set(key, { labels: all, value: combined });
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

type NamesOf<D extends MetricDeclarations, Type extends MetricDeclaration['type']> = {
  [Name in keyof D]: D[Name]['type'] extends Type ? Name : never;
}[keyof D] &
  string;

/** Metrics that a process counts itself, as things happen. */
export class Instruments<D extends MetricDeclarations> {
  readonly #declarations: D;
  readonly #registry: Registry;
  readonly #instruments: ReadonlyMap<string, Counter | Gauge | Histogram>;

  private constructor(
    declarations: D,
    registry: Registry,
    instruments: ReadonlyMap<string, Counter | Gauge | Histogram>,
  ) {
    this.#declarations = declarations;
    this.#registry = registry;
    this.#instruments = instruments;
  }

  static async open<D extends MetricDeclarations>(declarations: D): Promise<Instruments<D>> {
    const { default: prometheus } = await import('prom-client');
    const registry = new prometheus.Registry();
    const makers = { counter: prometheus.Counter, gauge: prometheus.Gauge, histogram: prometheus.Histogram };
    const instruments = Object.entries(declarations).map(([name, { type, help, labels, buckets }]) => {
      const options = { name, help, labelNames: Object.keys(labels ?? {}), registers: [registry] };
      return [
        name,
        new makers[type]({ ...options, ...(buckets === undefined ? {} : { buckets: [...buckets] }) }),
      ] as const;
    });
    return new Instruments(declarations, registry, new Map(instruments));
  }

  #known(name: string, labels: Readonly<Record<string, string>>) {
    return knownLabels(this.#declarations[name] as MetricDeclaration, labels);
  }

  count(name: NamesOf<D, 'counter'>, labels: Readonly<Record<string, string>>, times = 1): void {
    (this.#instruments.get(name) as Counter).inc(this.#known(name, labels), times);
  }

  observe(name: NamesOf<D, 'histogram'>, labels: Readonly<Record<string, string>>, value: number): void {
    (this.#instruments.get(name) as Histogram).observe(this.#known(name, labels), value);
  }

  set(name: NamesOf<D, 'gauge'>, value: number): void {
    (this.#instruments.get(name) as Gauge).set(value);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
