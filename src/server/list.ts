// Owns the form of every list: pages with an opaque cursor, filters, one moment, and the whole list as CSV.
import { z } from '@hono/zod-openapi';
import { pageCursor, readCursor } from '../kernel/index.js';
import { csvOf, csvResponse } from './csv.js';
import type { Claim, Verbs } from './identity.js';
import { asOfParameter, type Filter, hrefOf, pin, pinnedFields } from './moment.js';
import { Reply, type Route, read } from './route.js';

const CSV = 'text/csv';
/** The longest page in JSON, and the pages of which a file consists. */
const LONGEST = 1_000;
const CSV_PAGE = 2_000;
/** How long one file may take; its moment is kept until then. */
const LONGEST_FILE_MS = 15 * 60_000;

export const paging = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .transform(Number)
    .refine((limit) => limit <= LONGEST, { message: `at most ${LONGEST}` })
    .optional()
    .openapi({ type: 'integer', minimum: 1, maximum: LONGEST, default: 50 }),
  after: z
    .string()
    .min(1)
    .max(4_000)
    .optional()
    .openapi({ description: '`next.after` of the previous page, with the same filter and `as_of`' }),
  as_of: asOfParameter,
};

const next = z
  .object({
    after: z.string(),
    href: z.string().openapi({ description: 'the next page, of the same moment' }),
  })
  .nullable()
  .openapi({ description: 'null: this is the last page' });

export interface Place {
  readonly limit: number;
  readonly after?: string;
  /** The moment that the list is read at, for the links in its lines. */
  readonly asOf: string;
}

/** The rows of a page, and the cursor of the next one. */
export interface Rows {
  readonly rows: readonly unknown[];
  readonly next: string | null;
}

/** A page of a verb whose `after` is the key of the last line: `key` reads it from a line. */
export async function byKey<Row>(
  { limit, after }: Place,
  key: (row: Row) => string,
  page: (place: Omit<Place, 'asOf'>) => Promise<readonly Row[]>,
  form = /^/,
): Promise<Rows> {
  const [last] = readCursor(after, [form]) ?? [];
  const found = await page({ limit: limit + 1, ...(last === undefined ? {} : { after: last }) });
  const rows = found.slice(0, limit);
  const end = rows.at(-1);
  return { rows, next: found.length > limit && end !== undefined ? pageCursor([key(end)]) : null };
}

/** The same, for keys that are numbers. */
export function byNumber<Row>(
  place: Place,
  key: (row: Row) => bigint,
  page: (place: { readonly limit: number; readonly after?: bigint }) => Promise<readonly Row[]>,
): Promise<Rows> {
  readCursor(place.after, [/^\d{1,18}$/]);
  return byKey(
    place,
    (row: Row) => String(key(row)),
    ({ limit, after }) => page({ limit, ...(after === undefined ? {} : { after: BigInt(after) }) }),
  );
}

/** A page of a verb that returns the key of the next page itself. */
export async function byNext(
  { limit, after }: Place,
  page: (
    place: Omit<Place, 'asOf'>,
  ) => Promise<{ readonly rows: readonly unknown[]; readonly next: string | null }>,
): Promise<Rows> {
  const [last] = readCursor(after, [/^/]) ?? [];
  const { rows, next: key } = await page({ limit, ...(last === undefined ? {} : { after: last }) });
  return { rows, next: key === null ? null : pageCursor([key]) };
}

/** A page of a list that is always short. */
export async function ofAll({ limit, after }: Place, all: readonly unknown[]): Promise<Rows> {
  const start = Number(readCursor(after, [/^\d{1,6}$/])?.[0] ?? 0);
  const end = start + limit;
  return { rows: all.slice(start, end), next: end < all.length ? pageCursor([String(end)]) : null };
}

type Shape = Readonly<Record<string, z.ZodType<string | undefined>>>;
type Given<Q extends Shape> = { readonly [K in keyof Q]?: string };

interface ListSpec<Q extends Shape, P extends Shape> {
  /** Below /api/v1. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The name of the lines in the answer. */
  readonly name: string;
  readonly params?: P;
  readonly filters: Q;
  readonly line: z.ZodObject;
  limits?(filter: Given<Q & P>): Pick<Claim, 'scope' | 'owner'>;
  page(gcos: Verbs, filter: Given<Q & P>, place: Place): Promise<Rows>;
}

/** Only what is given: a verb takes no undefined. */
export const given = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** What a file says about itself. */
async function remarksOf(gcos: Verbs, href: string, at: string): Promise<readonly string[]> {
  const [snapshot] = (await gcos.snapshots.list({ limit: 1 })).snapshots;
  const rulesets = await gcos.rulesets.list({ limit: 1_000 });
  const active = rulesets.find((each) => each.status === 'active');
  return [
    `list: ${href}`,
    `at: ${at}`,
    `ruleset: ${active?.version ?? 'none'}`,
    `snapshot: ${snapshot?.id ?? 'none'}`,
  ];
}

/** A route that lists. */
export function list<Q extends Shape, P extends Shape = Record<never, never>>(spec: ListSpec<Q, P>): Route {
  const { path, name, line, filters, params, limits } = spec;
  const columns = Object.keys(line.shape);
  const addressed = (values: Filter): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ''));
  return read({
    path,
    permission: 'read',
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    ...(params === undefined ? {} : { params: z.object(params) }),
    query: z.object({ ...filters, ...paging }),
    answer: z.object({ ...pinnedFields, [name]: z.array(line), next }),
    alsoAs: [CSV],
    ...(limits === undefined
      ? {}
      : {
          limits: ({ query, params: named }: { query: object; params: object | undefined }) =>
            given(limits({ ...query, ...named } as Given<Q & P>)),
        }),
    handle: async ({ gcos, query, params: named, accepts }) => {
      const {
        limit = 50,
        after,
        as_of: asked,
        ...rest
      } = query as Filter & {
        readonly limit?: number;
        readonly after?: string;
        readonly as_of?: string;
      };
      const filter = given({ ...rest, ...(named as Filter | undefined) }) as Given<Q & P>;
      const at = await pin(gcos, asked);
      const own = addressed(filter as Filter);
      if (accepts === CSV) {
        const pages = async function* (pinned: Verbs) {
          for (let begin = after; ; ) {
            const found = await spec.page(pinned, filter, {
              limit: CSV_PAGE,
              asOf: at.asOf,
              ...given({ after: begin }),
            });
            yield found.rows;
            if (found.next === null) return;
            begin = found.next;
          }
        };
        const remarks = await remarksOf(at.gcos, hrefOf(own, rest, at.asOf), at.fields.at);
        const pieces = at.gcos.keep((pinned) => csvOf(remarks, columns, pages(pinned)), LONGEST_FILE_MS);
        return csvResponse(pieces, name);
      }
      const found = await spec.page(at.gcos, filter, { limit, asOf: at.asOf, ...given({ after }) });
      const following = { ...rest, limit: String(limit), after: found.next };
      return new Reply(
        {
          ...at.fields,
          [name]: found.rows,
          next: found.next === null ? null : { after: found.next, href: hrefOf(own, following, at.asOf) },
        },
        { vary: 'accept' },
      );
    },
  });
}
