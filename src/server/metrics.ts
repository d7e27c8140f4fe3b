// Owns the metrics of the server, and `/metrics`, which answers without the database. INVARIANT: no label has
// a value that a client chooses: an address that no route has is one value.
import { z } from '@hono/zod-openapi';
import { EXPOSITION_TYPE, Instruments, type MetricDeclarations } from '../kernel/index.js';
import type { Answered } from './app.js';
import { open, type Route } from './route.js';

const ROUTE =
  'the method and the address of the route, without the values in it; none: there is no such route';

export const SERVER_METRICS = {
  gcos_http_requests_total: {
    type: 'counter',
    help: 'requests that were answered',
    labels: { route: ROUTE, status: 'the status of the answer' },
  },
  gcos_http_request_duration_seconds: {
    type: 'histogram',
    help: 'how long requests took, from their headers to the begin of the answer',
    labels: { route: ROUTE },
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  gcos_http_refused_total: {
    type: 'counter',
    help: 'requests that were refused because of what the server takes on: too_many_requests of one credential, server_busy, deadline_passed, server_stopping',
    labels: { reason: ['too_many_requests', 'server_busy', 'deadline_passed', 'server_stopping'] },
  },
  gcos_http_running: { type: 'gauge', help: 'requests that run now' },
  gcos_gate_answers_total: {
    type: 'counter',
    help: 'answers of the gate that were sent, one per subject; undecided: an evaluation that was denied because it is malformed',
    labels: { outcome: ['allow', 'allow_and_rescan', 'block', 'undecided'] },
  },
} as const satisfies MetricDeclarations;

const REFUSALS: readonly string[] = SERVER_METRICS.gcos_http_refused_total.labels.reason;

export class ServerMetrics {
  readonly #instruments: Instruments<typeof SERVER_METRICS>;

  private constructor(instruments: Instruments<typeof SERVER_METRICS>) {
    this.#instruments = instruments;
  }

  static async open(): Promise<ServerMetrics> {
    return new ServerMetrics(await Instruments.open(SERVER_METRICS));
  }

  /** Counts one request. */
  count({
    method,
    route,
    status,
    ms,
    code,
    outcomes,
  }: Answered & { readonly code: string | undefined }): void {
    const labels = { route: route === null ? 'none' : `${method} ${route}` };
    this.#instruments.count('gcos_http_requests_total', { ...labels, status: String(status) });
    this.#instruments.observe('gcos_http_request_duration_seconds', labels, ms / 1_000);
    if (code !== undefined && REFUSALS.includes(code))
      this.#instruments.count('gcos_http_refused_total', { reason: code });
    for (const [outcome, times] of Object.entries(outcomes))
      this.#instruments.count('gcos_gate_answers_total', { outcome }, times);
  }

  text(running: number): Promise<string> {
    this.#instruments.set('gcos_http_running', running);
    return this.#instruments.text();
  }
}

export const metricsRoute = (text: () => Promise<string>): Route =>
  open({
    path: '/metrics',
    atRoot: true,
    summary: 'The metrics of this process, in the text format of Prometheus',
    answer: z.string(),
    handle: async () => new Response(await text(), { headers: { 'content-type': EXPOSITION_TYPE } }),
  });
