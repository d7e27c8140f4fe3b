// What went wrong with a request, in words. The server answers with a problem document (RFC 9457).
export interface Problem {
  readonly title: string;
  readonly help: string;
  readonly code: string;
  readonly status: number;
}

/** A request that the server refused or could not answer. */
export class RequestFailed extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The problem that a response describes. */
export function problemFrom(status: number, body: unknown): Problem {
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return {
    title: text(given['detail']) || text(given['title']) || `the server answered ${status}`,
    help: text(given['help']),
    code: text(given['code']),
    status,
  };
}

/** The problem behind whatever a request failed with. */
export function problemOf(error: unknown): Problem {
  if (error instanceof RequestFailed) return error.problem;
  return {
    title: 'the server did not answer',
    help: 'It may be restarting, or the network is down. The console tries again by itself.',
    code: 'no_answer',
    status: 0,
  };
}
