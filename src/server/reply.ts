// Owns the form of an answer: JSON in the public form, with the headers that every answer has.
import { isDeepStrictEqual } from 'node:util';
import { type ErrorKind, toWire } from '../kernel/index.js';
import { PROBLEM_TYPE, type Problem, problemOf } from './problem.js';
import { Reply, type Route } from './route.js';

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>>): Response =>
  new Response(`${JSON.stringify(value)}\n`, { status, headers });

/** The answer of a handler, as bytes. `check` fails if it is not what the route documents: for tests. */
export function replyOf(route: Route, answer: unknown, { check }: { readonly check: boolean }): Response {
  if (answer instanceof Response) return answer;
  const { value, headers, status } = answer instanceof Reply ? answer : new Reply(answer);
  const wire = toWire(value);
  if (check) {
    const found = route.answer.safeParse(wire);
    // A field that the schema does not name is missing in what it returns.
    if (found.success && !isDeepStrictEqual(found.data, wire))
      throw new Error(
        `${route.method} ${route.path} answers more than it documents: ${JSON.stringify(wire)}`,
      );
    if (!found.success)
      throw new Error(
        `${route.method} ${route.path} answers what it does not document: ${found.error.message}`,
      );
  }
  return json(status ?? route.status, wire, { 'content-type': 'application/json', ...headers });
}

/** The answer to a failure. */
export function refusalOf(
  route: Route | undefined,
  error: unknown,
  given: { readonly requestId: string; readonly kinds: Readonly<Record<string, ErrorKind>> },
): Response {
  const problem: Problem = problemOf(error, given);
  const { status, type, body } = route?.failure?.(problem) ?? {
    status: problem.status,
    type: PROBLEM_TYPE,
    body: problem,
  };
  return json(status, body, {
    'content-type': type,
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="gcos"' } : {}),
    ...(status === 429 ? { 'retry-after': '1' } : {}),
    ...(status === 503 ? { 'retry-after': '5' } : {}),
  });
}
