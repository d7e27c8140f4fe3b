// The root of the API: where everything is, and how much of it there is at one moment.
import { z } from '@hono/zod-openapi';
import type { ApprovalRequest, Exception } from '../index.js';
import type { Verbs } from './identity.js';
import { byKey, given, list } from './list.js';
import { asOfParameter, count, counted, type Filter, hrefOf, pin, pinnedFields } from './moment.js';
import { requestLine } from './requests.js';
import { read } from './route.js';

const name = z.string().min(1).max(500);

/** Every resource that is found without knowing a name, by the path below /api/v1. */
const RESOURCES = [
  ...[
    '/ledger',
    '/units',
    '/map',
    '/owners',
    '/objects',
    '/groups',
    '/collections',
    '/findings',
    '/findings/summary',
    '/fixes',
  ],
  ...[
    '/requests',
    '/rulesets',
    '/exceptions',
    '/snapshots',
    '/runs',
    '/workers',
    '/work-orders',
    '/dead-letters',
  ],
  ...['/events/types', '/events/held', '/sources', '/settings', '/inputs', '/inputs/summary'],
  ...['/tokens', '/people'],
];

/** How many lines there are of each value, over all pages of a list that people keep short. */
async function tally<Row>(
  page: (place: { readonly limit: number; readonly after?: string }) => Promise<readonly Row[]>,
  key: (row: Row) => string,
  value: (row: Row) => string,
): Promise<readonly (readonly [string, number])[]> {
  const counts = new Map<string, number>();
  const limit = 1_000;
  for (let after: string | undefined; ; ) {
    const rows = await page({ limit, ...given({ after }) });
    for (const row of rows) counts.set(value(row), (counts.get(value(row)) ?? 0) + 1);
    const last = rows.at(-1);
    if (rows.length < limit || last === undefined) return [...counts];
    after = key(last);
  }
}

async function countsOf(gcos: Verbs, asOf: string) {
  const of = (what: string, number: number | bigint, path: string, filter: Filter) => ({
    what,
    ...counted(number, path, filter, asOf),
  });
  const findings = (await gcos.findings.counts()).reduce((sum, each) => sum + each.findings, 0n);
  const requests = await tally(
    (page) => gcos.requests.list(page),
    (row: ApprovalRequest) => row.code,
    (row) => row.hostStatus,
  );
  const exceptions = await tally(
    (page) => gcos.exceptions.list(page),
    (row: Exception) => row.code,
    (row) => row.status,
  );
  return [
    of('open findings', findings, '/findings', {}),
    ...requests.map(([status, number]) => of(`requests ${status}`, number, '/requests', { status })),
    ...exceptions.map(([status, number]) => of(`exceptions ${status}`, number, '/exceptions', { status })),
  ];
}

export const rootRoutes = [
  read({
    path: '',
    permission: 'read',
    summary: 'Where everything is, and how much waits at this moment',
    query: z.object({ as_of: asOfParameter }),
    answer: z
      .object({
        ...pinnedFields,
        links: z
          .array(z.object({ resource: z.string(), href: z.string() }))
          .openapi({ description: 'every resource that needs no name, at this moment' }),
        status: z
          .string()
          .openapi({ description: 'the address of the three answers, which are of the present' }),
        openapi: z.string(),
        counts: z.array(count.extend({ what: z.string() })),
      })
      .openapi('Root'),
    handle: async ({ gcos, query }) => {
      const { gcos: pinned, asOf, fields } = await pin(gcos, query.as_of);
      return {
        ...fields,
        links: RESOURCES.map((path) => ({ resource: path.slice(1), href: hrefOf(path, {}, asOf) })),
        status: '/api/v1/status',
        openapi: '/api/v1/openapi.json',
        counts: await countsOf(pinned, asOf),
      };
    },
  }),
  list({
    path: '/requests',
    summary: 'Requests for approval, newest first',
    name: 'requests',
    filters: {
      status: name.optional().openapi({ description: 'as the host stores it: pending, approved, …' }),
    },
    line: requestLine,
    page: (gcos, { status }, place) =>
      byKey(
        place,
        (row: ApprovalRequest) => row.code,
        (page) => gcos.requests.list({ ...given({ hostStatus: status }), ...page }),
      ),
  }),
];
