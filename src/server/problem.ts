// Owns what a client sees of an error: problem details (RFC 9457) with GCOS's stable code. INVARIANT: nothing
// of the inside leaves: an error of the server or the database shows what it is, never its message.
import { z } from '@hono/zod-openapi';
import { type ErrorKind, GcosError, toWire } from '../kernel/index.js';

export const PROBLEM_TYPE = 'application/problem+json';

/** Codes whose status does not follow from their exit code. */
const STATUS: Readonly<Record<string, number>> = {
  credential_missing: 401,
  credential_unknown: 401,
  credential_expired: 401,
  credential_revoked: 401,
  permission_missing: 403,
  outside_limits: 403,
  actor_unknown: 403,
  actor_not_allowed: 403,
  actor_not_direct: 403,
  identity_unverified: 403,
  self_approval_refused: 403,
  decision_by_proposer: 403,
  withdraw_by_other: 403,
  administrator_required: 403,
  setting_of_command: 403,
  setting_protected: 403,
  route_unknown: 404,
  method_unknown: 405,
  plan_empty: 409,
  exception_approval_used: 409,
  request_foreign: 409,
  as_of_expired: 410,
  precondition_failed: 412,
  act_key_reused: 422,
  body_too_large: 413,
  content_type_unsupported: 415,
  address_refused: 421,
  cross_site_refused: 403,
  csrf_refused: 403,
  precondition_missing: 428,
  gate_timeout: 503,
  gate_unrecorded: 503,
  transaction_lost: 503,
  statement_timeout: 503,
  statement_cancelled: 503,
  lock_timeout: 503,
  session_timeout: 503,
  serialization_failure: 503,
  too_many_requests: 429,
};

/** Codes that end like this name a thing that does not exist, except the names that a filter may list. */
const MISSING = /_unknown$/;
/** Codes that pass by themselves: another transaction, a run or a pause is in the way. */
const PASSING = /_(?:busy|timeout|cancelled|paused|lost|failure|limit)$/;
const LISTED = new Set(['value_unknown', 'action_unknown']);

/** By exit code: failure, the claim is false or refused, invalid input, not usable. */
const BY_EXIT = { 1: 500, 2: 409, 3: 400, 4: 503 } as const;

function statusOf({ code, exit }: Pick<GcosError, 'code' | 'exit'>): number {
  if (STATUS[code] !== undefined) return STATUS[code];
  if (MISSING.test(code) && !LISTED.has(code)) return 404;
  if (exit === 1 && PASSING.test(code)) return 503;
  return BY_EXIT[exit];
}

/** Their messages name logins of the database. */
const WITHHELD = new Set(['actor_unknown', 'actor_not_allowed', 'actor_not_direct', 'identity_unverified']);

export const problemSchema = z
  .object({
    type: z.string().openapi({ example: 'urn:gcos:error:request_closed' }),
    title: z.string().openapi({ description: 'when this error occurs' }),
    status: z.int(),
    code: z.string().openapi({ description: 'stable; docs/reference/errors.md lists every code' }),
    detail: z.string().optional(),
    help: z.string().openapi({ description: 'what to do' }),
    instance: z.string().openapi({ description: 'the id of the request, as the header X-Request-ID' }),
    errors: z.array(z.object({ at: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem');

export type Problem = z.infer<typeof problemSchema>;

const INTERNAL: ErrorKind = {
  exit: 1,
  when: 'an unexpected error occurred; it is a defect of GCOS',
  help: 'report it with the id of the request: the log of the server has the error',
};

/** The error as a client may see it. `kinds` describes every code. */
export function problemOf(
  error: unknown,
  { requestId, kinds }: { requestId: string; kinds: Readonly<Record<string, ErrorKind>> },
): Problem {
  const known = error instanceof GcosError ? error : undefined;
  const code = known?.code ?? 'internal_error';
  const kind = kinds[code] ?? INTERNAL;
  const status = known === undefined ? 500 : statusOf(known);
  const shown = known !== undefined && status < 500 && !WITHHELD.has(code);
  const places = shown ? known.facts['errors'] : undefined;
  return {
    type: `urn:gcos:error:${code}`,
    title: kind.when,
    status,
    code,
    ...(shown ? { detail: known.message } : {}),
    help: shown ? known.help : kind.help,
    instance: `urn:gcos:request:${requestId}`,
    ...(places === undefined ? {} : { errors: toWire(places) as Problem['errors'] }),
  };
}
