// Owns the Prometheus text format, version 0.0.4, which `/metrics` returns.

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter';
  readonly samples: readonly Sample[];
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

function labelText(labels: Sample['labels']): string {
  const pairs = Object.entries(labels ?? {}).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

/** Omits metrics without a sample: absent is not zero. */
export function expositionText(metrics: readonly Metric[]): string {
  return metrics
    .filter((metric) => metric.samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${escapeHelp(help)}`,
        `# TYPE ${name} ${type}`,
        ...samples.map((sample) => `${name}${labelText(sample.labels)} ${numberText(sample.value)}`),
        '',
      ].join('\n'),
    )
    .join('');
}
