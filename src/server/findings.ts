// The resources `findings` and `fixes`: what is wrong, and what cures the most of it.
import { z } from '@hono/zod-openapi';
import type { FindingFilter, FixFilter, Severity } from '../index.js';
import { byNext, given, list } from './list.js';
import { asOfParameter, count, counted, pin, pinnedFields } from './moment.js';
import { read } from './route.js';
import { id, time } from './schema.js';

const name = z.string().min(1).max(500);

const findingLine = z
  .object({
    code: z.string().openapi({ example: 'GCOS-4711' }),
    type: z.string(),
    subject: z.string().openapi({ description: 'what it is about, to read' }),
    subject_key: z.string(),
    scope: z.string().nullable(),
    severity: z.string(),
    routes: z.array(z.string()).openapi({ description: 'the bodies that are asked to act' }),
    status: z.string().nullable(),
    occurrences: id.openapi({ description: 'how often it was observed' }),
    first_seen_at: time.nullable(),
    last_seen_at: time.nullable(),
  })
  .openapi('FindingLine');

const finding = findingLine
  .extend({
    ...pinnedFields,
    issue_id: id,
    key: z.string(),
    family: z.string(),
    bucket: z.string(),
    event_type: z.string(),
    raised_when: z.string(),
    closed_when: z.string(),
    ruleset: z.string().nullable(),
    announced: z.boolean(),
    notified_at: time.nullable(),
    host_severity: z.string().nullable(),
    entity_type: z.string().nullable(),
    entity_code: z.string().nullable(),
    reopens: id,
    run_id: z.string().nullable(),
    evidence: z.unknown(),
    parent: z.string().nullable().openapi({ description: 'the code of the finding that summarises it' }),
    children: z.array(z.string()).openapi({ description: 'at most a hundred' }),
  })
  .openapi('Finding');

const fix = z
  .object({
    id: z.string(),
    what: z.string(),
    action: z.string(),
    link: z.string().nullable(),
    subject: z.object({ kind: z.string(), ref: z.string(), collection: z.string().nullable() }),
    scope: z.string().nullable(),
    objects: z
      .int()
      .openapi({ description: 'units that wait for it: a rank, as of the scan that evaluated them' }),
    alone: z.int().openapi({ description: 'of them, those that wait for nothing else' }),
    members: z.int(),
    who: z.array(z.string()),
    severity: z.string().nullable(),
    sample: z.array(z.string()),
    findings: z.array(z.string()),
    found_under: z.unknown(),
  })
  .openapi('Fix');

export const findingRoutes = [
  list({
    path: '/findings',
    summary: 'Open findings, most severe first',
    name: 'findings',
    filters: {
      type: name.optional(),
      scope: name.optional(),
      severity: name.optional(),
      owner: name.optional().openapi({ description: 'a body that is asked to act' }),
      all: z.enum(['true']).optional().openapi({ description: 'closed findings, too' }),
    },
    line: findingLine,
    limits: ({ scope, owner }) => given({ scope, owner }),
    page: (gcos, { all, severity, ...filter }, place) =>
      byNext(place, async (page) => {
        const asked = {
          ...filter,
          ...given({ severity: severity as Severity | undefined }),
          all: all === 'true',
        };
        const { findings, next } = await gcos.findings.list({ ...asked, ...page } as FindingFilter);
        return { rows: findings, next };
      }),
  }),
  read({
    path: '/findings/summary',
    permission: 'read',
    summary: 'Open findings, counted by severity and by type',
    query: z.object({ as_of: asOfParameter }),
    answer: z
      .object({
        ...pinnedFields,
        findings: count,
        by_severity: z.array(z.object({ severity: z.string(), findings: count })),
        by_type: z.array(z.object({ type: z.string(), severity: z.string(), findings: count })),
      })
      .openapi('FindingSummary'),
    handle: async ({ gcos, query }) => {
      const { gcos: pinned, asOf, fields } = await pin(gcos, query.as_of);
      const counts = await pinned.findings.counts();
      const sum = (of: typeof counts) => of.reduce((total, each) => total + each.findings, 0n);
      const severities = [...new Set(counts.map((each) => each.severity))];
      const findings = (number: bigint, filter: Record<string, string>) =>
        counted(number, '/findings', filter, asOf);
      return {
        ...fields,
        findings: findings(sum(counts), {}),
        bySeverity: severities.map((severity) => ({
          severity,
          findings: findings(sum(counts.filter((each) => each.severity === severity)), { severity }),
        })),
        byType: counts.map(({ type, severity, findings: number }) => ({
          type,
          severity,
          findings: findings(number, { type, severity }),
        })),
      };
    },
  }),
  read({
    path: '/findings/{code}',
    permission: 'read',
    summary: 'One finding, with its evidence',
    params: z.object({ code: name }),
    query: z.object({ as_of: asOfParameter }),
    answer: finding,
    handle: async ({ gcos, params, query }) => {
      const { gcos: pinned, fields } = await pin(gcos, query.as_of);
      return { ...fields, ...(await pinned.findings.show(params.code)) };
    },
  }),
  list({
    path: '/fixes',
    summary: 'What would close the most gaps, and who can do it',
    name: 'fixes',
    filters: { scope: name.optional(), owner: name.optional() },
    line: fix,
    limits: ({ scope, owner }) => given({ scope, owner }),
    page: (gcos, filter, place) =>
      byNext(place, async (page) => {
        const { fixes, next } = await gcos.fixes.list({ ...filter, ...page } as FixFilter);
        return { rows: fixes, next };
      }),
  }),
];
