// Owns the OpenAPI 3.1 document: it is made of the schemas that validate.
import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi';
import { problemSchema } from './problem.js';
import { addressOf, open, type Route } from './route.js';

type Responses = RouteConfig['responses'];

const content = (type: string, schema: z.ZodType) => ({ content: { [type]: { schema } } });

function responsesOf(route: Route): Responses {
  const { status, answer, alsoAs = [], failure } = route;
  const others = Object.fromEntries(alsoAs.map((type) => [type, { schema: z.string() }]));
  return {
    [status]: {
      description: 'the answer',
      content: { 'application/json': { schema: answer }, ...others },
    },
    ...(failure === undefined
      ? { default: { description: 'why not', ...content('application/problem+json', problemSchema) } }
      : {}),
  };
}

const ifMatch = z.string().openapi({
  param: { name: 'If-Match', in: 'header' },
  description: 'the entity tag of what the decision was made on, in quotes',
});
const idempotencyKey = z.string().openapi({
  param: { name: 'Idempotency-Key', in: 'header' },
  description: 'a repeat with the same key within a day gets the first answer, and acts only once',
});

function headersOf({ kind, needsSeen }: Route): z.ZodType[] {
  return [...(needsSeen ? [ifMatch] : []), ...(kind === 'act' ? [idempotencyKey.optional()] : [])];
}

const nameOf = ({ method, path }: Route): string =>
  [method, ...path.split(/[^a-z0-9]+/i).filter((part) => part !== '')].join('_');

function describe(route: Route): RouteConfig {
  const { method, summary, description, params, query, body, permission } = route;
  const headers = headersOf(route);
  return {
    method,
    path: addressOf(route),
    operationId: nameOf(route),
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [route.path.split('/')[1] ?? ''],
    ...(permission === 'public' ? { security: [] } : { 'x-gcos-permission': permission }),
    request: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(headers.length === 0 ? {} : { headers }),
      ...(body === undefined ? {} : { body: { required: true, ...content('application/json', body) } }),
    },
    responses: responsesOf(route),
  } as RouteConfig;
}

export function openApiDocument(routes: readonly Route[], version: string): unknown {
  const book = new OpenAPIHono();
  const registry = book.openAPIRegistry;
  registry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });
  for (const route of routes) registry.registerPath(describe(route));
  return book.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'GCOS',
      version,
      description: 'Is every object accounted for, is that still true, may it go to production?',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
  });
}

/** The route that serves the document. */
export const openApiRoute = (document: () => unknown): Route =>
  open({
    path: '/openapi.json',
    summary: 'This document',
    answer: z.record(z.string(), z.unknown()),
    handle: async () =>
      new Response(`${JSON.stringify(document())}\n`, { headers: { 'content-type': 'application/json' } }),
  });
