// The resources `tokens` and `people`: API tokens without their secrets, revoking one, and who may decide. No
// token creates tokens or changes people: that is done on the command line, by a login. The database knows
// which tokens a credential may see.
import { z } from '@hono/zod-openapi';
import type { PersonLine } from '../index.js';
import { byKey, given, list, ofAll } from './list.js';
import { count, counted } from './moment.js';
import { act } from './route.js';
import { id, name, time } from './schema.js';

const status = z.enum(['active', 'expired', 'revoked', 'person_inactive']);

const token = z
  .object({
    id: z.string(),
    name: z.string(),
    person: z.string().nullable().openapi({ description: 'null: a pipeline' }),
    permissions: z.array(z.enum(['read', 'gate', 'decide', 'operate'])),
    scopes: z.array(z.string()).nullable(),
    owners: z.array(z.string()).nullable(),
    status,
    created_at: time,
    created_by: z.string(),
    expires_at: time,
    last_used_at: time.nullable(),
    revoked_at: time.nullable(),
    revoked_by: z.string().nullable(),
  })
  .openapi('Token');

const person = z
  .object({
    person: z.string(),
    login: z.string().nullable().openapi({ description: 'null: only others act for this person' }),
    approver_type: z.string().openapi({ description: 'the kind of approver' }),
    title: z.string(),
    may_act_for_others: z.boolean(),
    active: z.boolean(),
    erased: z
      .boolean()
      .openapi({ description: 'what identified this person was erased; it cannot act again' }),
    identities: id.openapi({ description: 'subjects of sign-in providers that are this person' }),
    tokens: count.openapi({ description: 'tokens in force, of those that the credential may see' }),
  })
  .openapi('Person');

/** An inactive person has tokens that are not in force. */
const tokensOf = ({ person: of, tokens, active }: PersonLine, asOf: string) =>
  counted(active ? tokens : 0n, '/tokens', { person: of, status: 'active' }, asOf);

export const tokenRoutes = [
  list({
    path: '/tokens',
    summary: 'API tokens, the newest first',
    description:
      'Those of the person of the credential; all, if its token may operate; a pipeline sees its own.',
    name: 'tokens',
    filters: { person: name.optional(), status: status.optional() },
    line: token,
    page: (gcos, filter, place) =>
      byKey(
        place,
        (each: { readonly id: string }) => each.id,
        (at) => gcos.tokens.list({ ...at, ...(given(filter) as { status?: z.infer<typeof status> }) }),
        /^[0-9a-f]{12}$/,
      ),
  }),
  list({
    path: '/people',
    summary: 'People, by name: by which login they act, and what kind of approver they are',
    name: 'people',
    filters: {},
    line: person,
    page: async (gcos, _, place) =>
      ofAll(
        place,
        (await gcos.people.list()).map((each) => ({ ...each, tokens: tokensOf(each, place.asOf) })),
      ),
  }),
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
