// A policy enforcement point that knows the AuthZEN Authorization API 1.0 and nothing of GCOS: it finds the
// endpoints by discovery, and checks of every answer what the standard demands of it.
import { randomUUID } from 'node:crypto';

interface Entity {
  readonly type: string;
  readonly id: string;
  readonly properties?: object;
}

interface Evaluation {
  readonly subject?: Entity;
  readonly action?: { readonly name: string; readonly properties?: object };
  readonly resource?: Entity;
  readonly context?: object;
}

export interface Decision {
  readonly decision: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the standard leaves the context to the decision point
  readonly context?: any;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the decision point sent
  readonly body: any;
}

export interface Pep {
  /** The body of a 200 with one decision. */
  evaluate(request: Evaluation): Promise<Decision>;
  /** The decisions of a 200 with several. */
  evaluateAll(
    request: Evaluation & { evaluations: readonly object[]; options?: object },
  ): Promise<Decision[]>;
  /** Any body to one of the two endpoints. */
  post(
    endpoint: 'evaluation' | 'evaluations',
    body: string,
    headers?: Record<string, string>,
  ): Promise<Answered>;
}

function requireForm(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`against the standard: ${what}`);
}

function decisionOf(value: unknown): Decision {
  requireForm(typeof value === 'object' && value !== null, 'a decision is an object');
  const { decision, context } = value as { decision?: unknown; context?: unknown };
  requireForm(typeof decision === 'boolean', 'a decision has the boolean `decision`');
  const isObject = typeof context === 'object' && context !== null && !Array.isArray(context);
  requireForm(context === undefined || isObject, 'a context is an object');
  return value as Decision;
}

/** Reads the metadata at the well-known address of `pdp`, as a client does that was given nothing else. */
export async function discover(pdp: string, token: string): Promise<Pep> {
  const found = await fetch(new URL('/.well-known/authzen-configuration', pdp));
  requireForm(found.status === 200, 'the metadata is answered with 200');
  requireForm(
    found.headers.get('content-type')?.split(';')[0] === 'application/json',
    'the metadata is JSON',
  );
  const metadata = (await found.json()) as Record<string, string>;
  requireForm(metadata['policy_decision_point'] === pdp, 'the identifier is the one that was asked');
  const endpoint = {
    evaluation: metadata['access_evaluation_endpoint'] ?? '',
    evaluations: metadata['access_evaluations_endpoint'] ?? '',
  };
  for (const url of Object.values(endpoint)) requireForm(URL.canParse(url), 'an endpoint is a URL');

  const post: Pep['post'] = async (name, body, headers = {}) => {
    const requestId = randomUUID();
    const response = await fetch(endpoint[name], {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-request-id': requestId,
        ...headers,
      },
      body,
    });
    const asked = headers['x-request-id'] ?? requestId;
    requireForm(response.headers.get('x-request-id') === asked, 'the request id is returned');
    requireForm(response.headers.get('content-type')?.split(';')[0] === 'application/json', 'JSON');
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    post,
    async evaluate(request) {
      const { status, body } = await post('evaluation', JSON.stringify(request));
      requireForm(
        status === 200,
        `an evaluation is answered with 200, not ${status} ${JSON.stringify(body)}`,
      );
      return decisionOf(body);
    },
    async evaluateAll(request) {
      const { status, body } = await post('evaluations', JSON.stringify(request));
      requireForm(status === 200, `evaluations are answered with 200, not ${status} ${JSON.stringify(body)}`);
      const { evaluations } = body as { evaluations?: unknown };
      requireForm(Array.isArray(evaluations), 'the answer has the list `evaluations`');
      return evaluations.map(decisionOf);
    },
  };
}
