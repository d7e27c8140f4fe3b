// Owns how a resource is read at one moment: `as_of` pins it, every answer names it, and every count is a link
// to the list that it counts, at the same moment.
import { z } from '@hono/zod-openapi';
import { momentTime } from '../index.js';
import type { Verbs } from './identity.js';
import { time } from './schema.js';

/** The parameter that pins a request to a moment. */
export const asOfParameter = z.string().min(1).max(300).optional().openapi({
  description:
    'reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards',
});

/** What every answer that was read at a moment has. */
export const pinnedFields = {
  as_of: z
    .string()
    .openapi({ description: 'the moment that this answer describes; opaque, and a parameter of every list' }),
  at: time.openapi({ description: 'the time of that moment' }),
};

export interface Pinned {
  /** The verbs at the moment. */
  readonly gcos: Verbs;
  readonly asOf: string;
  /** What `pinnedFields` describes. */
  readonly fields: { readonly asOf: string; readonly at: string };
}

/** The verbs at the moment that the request names, or at a new one. */
export async function pin(gcos: Verbs, asOf: string | undefined): Promise<Pinned> {
  const moment = asOf ?? (await gcos.moment());
  return { gcos: gcos.at(moment), asOf: moment, fields: { asOf: moment, at: momentTime(moment) } };
}

export const count = z
  .object({
    count: z.int().openapi({ description: 'how many lines the list has, over all its pages' }),
    href: z.string().openapi({ description: 'the list, at the same moment' }),
  })
  .openapi('Count');

export type Filter = Readonly<Record<string, string | null | undefined>>;

/** The address of a list below /api/v1 with this filter, at the moment. */
export function hrefOf(path: string, filter: Filter, asOf: string): string {
  const given = Object.entries(filter).filter(
    (each): each is [string, string] => typeof each[1] === 'string',
  );
  return `/api/v1${path}?${new URLSearchParams([...given, ['as_of', asOf]])}`;
}

/** A count of the list at `path` with this filter. */
export const counted = (number: number | bigint, path: string, filter: Filter, asOf: string) => ({
  count: Number(number),
  href: hrefOf(path, filter, asOf),
});
