// The resource `tokens`: API tokens without their secrets, and revoking one. No token creates tokens: people
// create them with `gcos token create`, by their login.
import { z } from '@hono/zod-openapi';
import { act } from './route.js';
import { time } from './schema.js';

const token = z
  .object({
    id: z.string(),
    name: z.string(),
    person: z.string().nullable().openapi({ description: 'null: a pipeline' }),
    permissions: z.array(z.enum(['read', 'gate', 'decide', 'operate'])),
    scopes: z.array(z.string()).nullable(),
    owners: z.array(z.string()).nullable(),
    status: z.enum(['active', 'expired', 'revoked', 'person_inactive']),
    created_at: time,
    created_by: z.string(),
    expires_at: time,
    last_used_at: time.nullable(),
    revoked_at: time.nullable(),
    revoked_by: z.string().nullable(),
  })
  .openapi('Token');

export const tokenRoutes = [
  act({
    path: '/tokens/{id}/revoke',
    permission: 'operate',
    summary: 'Revoke a token of your own: the next request that sends it is refused',
    params: z.object({ id: z.string().regex(/^[0-9a-f]{12}$/) }),
    body: z.strictObject({}),
    answer: token,
    handle: ({ gcos, params: { id } }) => gcos.tokens.revoke(id),
  }),
];
