// Acts on the resource `exceptions`: requesting one, and revoking one.
import { z } from '@hono/zod-openapi';
import type { ExceptionSubject } from '../index.js';
import { act } from './route.js';
import { id, name, reason, time } from './schema.js';

const subject = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('object'), collection: name, code: name }),
    z.strictObject({ kind: z.literal('group'), inventory_key: name }),
    z.strictObject({ kind: z.literal('collection'), collection: name }),
    z.strictObject({ kind: z.literal('class'), object_class: name }),
  ])
  .openapi('ExceptionSubject');

function subjectOf(given: z.infer<typeof subject>): ExceptionSubject {
  if (given.kind === 'group') return { kind: 'group', inventoryKey: given.inventory_key };
  if (given.kind === 'class') return { kind: 'class', objectClass: given.object_class };
  return given;
}

const terms = z
  .strictObject({
    subject,
    scope: name,
    link: name.optional().openapi({ description: 'the link that may be missing; absent: any link' }),
    seconds: z.number().positive().max(3_153_600_000).optional(),
    until: z.string().max(40).optional(),
    reason,
    renew: z.boolean().optional().openapi({ description: 'request a follow-up although one is in force' }),
  })
  .refine((each) => (each.seconds === undefined) !== (each.until === undefined), {
    message: 'give its end with one of `seconds` and `until`: every exception has an end',
  })
  .openapi('ExceptionTerms');

const exception = z
  .object({
    code: z.string(),
    subject,
    scope: z.string(),
    link: z.string().nullable(),
    reason: z.string(),
    requested_by: z.string(),
    granted_at: time,
    expires_at: time,
    approval_ref: z.string().nullable(),
    status: z.string(),
    units: z.object({ covers: id, needing: id }).nullable(),
    needed: z.boolean().nullable(),
  })
  .openapi('Exception');

function requestOf({ subject: about, scope, link, seconds, until }: z.infer<typeof terms>) {
  const base = { subject: subjectOf(about), scope, ...(link === undefined ? {} : { link }) };
  return seconds === undefined ? { ...base, until: until ?? '' } : { ...base, seconds };
}

export const exceptionActs = [
  act({
    path: '/exceptions',
    permission: 'decide',
    summary: 'Request that a gap be accepted for a limited time',
    description:
      'It is in force as soon as its request is approved. `opened` is false if the same terms were requested before.',
    body: terms,
    status: 201,
    answer: z.object({ exception, opened: z.boolean() }),
    handle: ({ gcos, body }) =>
      gcos.exceptions.request(requestOf(body), {
        reason: body.reason,
        ...(body.renew === undefined ? {} : { renew: body.renew }),
      }),
  }),
  act({
    path: '/exceptions/{code}/revoke',
    permission: 'decide',
    summary: 'Revoke an exception: the next scan evaluates its subject again',
    params: z.object({ code: z.string().min(1).max(100) }),
    body: z.strictObject({ reason }),
    answer: exception,
    handle: ({ gcos, params: { code }, body }) => gcos.exceptions.revoke(code, { reason: body.reason }),
  }),
];
