// Owns the schemas that many resources use: the public form of times, ids and names.
import { z } from '@hono/zod-openapi';

/** A 64-bit integer: text, because a JSON number loses its last digits in many readers. */
export const id = z
  .string()
  .regex(/^-?\d{1,19}$/)
  .openapi({ example: '4711' });

/** A time in UTC with microseconds. */
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/)
  .openapi({ format: 'date-time', example: '2027-01-31T12:00:00.123456Z' });

/** A time that PostgreSQL wrote into JSON. */
const jsonTime = z.iso.datetime({ offset: true });

/** The last pause or resume of the workers. */
export const pauseAct = z
  .object({ by: z.string(), login: z.string(), reason: z.string().nullable(), at: jsonTime })
  .openapi('PauseAct');

/** A reason: people read it later. */
export const reason = z.string().trim().min(1).max(2_000);

/** How the acting person was identified. */
export const identityLevel = z.enum(['login', 'token', 'unverified']);

/** The name of a scope, an owner, a collection, a setting: what the host or GCOS calls it. */
export const name = z.string().min(1).max(1_000);
