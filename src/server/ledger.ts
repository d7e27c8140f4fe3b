// The resource `ledger`: the last closed ledger as it was closed, and the terms as they are now, each with a
// link to its units.
import { z } from '@hono/zod-openapi';
import type { ScopeTerms } from '../index.js';
import { given } from './list.js';
import { asOfParameter, count, counted, type Filter, pin, pinnedFields } from './moment.js';
import { read } from './route.js';
import { id, time } from './schema.js';

const byCause = z.array(z.object({ cause: z.string(), units: count }));

const terms = z
  .object({
    scope: z.string(),
    total: count.openapi({ description: 'the sum of all terms but not_relevant' }),
    covered: count,
    orphans: count,
    exceptions: count,
    retired: count,
    unverified: count,
    unverified_by: byCause.openapi({ description: 'adds up to unverified' }),
    deferred_birth: count,
    deferred_by: byCause.openapi({ description: 'adds up to deferred_birth' }),
    class_0: count,
    not_relevant: count.openapi({ description: 'outside the total: nothing is required in this scope' }),
    tombstones: count.openapi({ description: 'part of retired: the source is gone' }),
    grain: count.openapi({ description: 'total and not_relevant: everything at the grain' }),
    verified_share: z.number().nullable().openapi({
      description: '(total − unverified) / total; 1 only if nothing is unverified; null: the total is 0',
    }),
  })
  .openapi('LedgerTerms');

const figures = z.record(z.string(), z.int());
const closed = z
  .object({
    scope: z.string(),
    total: z.int(),
    covered: z.int(),
    orphans: z.int(),
    exceptions: z.int(),
    retired: z.int(),
    unverified: z.int(),
    unverified_by: figures,
    deferred_birth: z.int(),
    deferred_by: figures,
    class_0: z.int(),
    not_relevant: z.int(),
    tombstones: z.int(),
    verified_share: z.number().nullable(),
    inventory: z.int().openapi({ description: 'counted over the tables of the host alone' }),
    duplicates: z.int(),
    closes: z.boolean(),
    differing: z.int().openapi({ description: 'inventory groups in which the two sides disagree' }),
    differences: z.array(z.unknown()),
    gone: z.array(z.unknown()),
  })
  .openapi('ClosedScope', {
    description:
      'figures of a document that was stored when the run closed: no list of today has these lines',
  });

const ledger = z
  .object({
    ...pinnedFields,
    closed: z.boolean().openapi({ description: 'false: no run has closed a ledger yet' }),
    closes: z.boolean(),
    run_id: z.string().nullable(),
    kind: z.string().nullable(),
    closed_at: time.nullable(),
    snapshot: id.nullable(),
    ruleset_version: z.string().nullable(),
    active_ruleset: z.string().nullable(),
    not_closed_since: z
      .object({ run_id: z.string(), at: time })
      .nullable()
      .openapi({ description: 'a later run that counted and did not close' }),
    caveats: z.array(z.unknown()).openapi({ description: 'what its closing does not prove' }),
    last: z.array(closed).openapi({ description: 'the last closed ledger' }),
    since: z.array(z.unknown()).openapi({ description: 'verdicts that are no longer valid, by scope' }),
    now: z
      .array(terms)
      .openapi({ description: 'the terms of the units at this moment; nothing is closed by it' }),
  })
  .openapi('Ledger');

/** Each term with its units. */
export const countsByTerm = (
  of: Omit<ScopeTerms, 'scope'>,
): readonly (readonly [term: string, units: number])[] => [
  ['covered', of.covered],
  ['orphans', of.orphans],
  ['exceptions', of.exceptions],
  ['retired', of.retired],
  ['unverified', of.unverified],
  ['deferred_birth', of.deferredBirth],
  ['class_0', of.class_0],
  ['not_relevant', of.notRelevant],
];

/** The terms of one scope, each with the list of its units. */
function linked(of: ScopeTerms, asOf: string, filter: Filter = {}) {
  const { scope } = of;
  const units = (number: number, more: Filter) =>
    counted(number, '/units', { ...filter, scope, ...more }, asOf);
  const causes = (by: Readonly<Record<string, number>>) =>
    Object.entries(by).map(([cause, number]) => ({ cause, units: units(number, { cause }) }));
  return {
    scope,
    total: units(of.total, { term: 'total' }),
    covered: units(of.covered, { term: 'covered' }),
    orphans: units(of.orphans, { term: 'orphans' }),
    exceptions: units(of.exceptions, { term: 'exceptions' }),
    retired: units(of.retired, { term: 'retired' }),
    unverified: units(of.unverified, { term: 'unverified' }),
    unverifiedBy: causes(of.unverifiedBy),
    deferredBirth: units(of.deferredBirth, { term: 'deferred_birth' }),
    deferredBy: causes(of.deferredBy),
    class_0: units(of.class_0, { term: 'class_0' }),
    notRelevant: units(of.notRelevant, { term: 'not_relevant' }),
    tombstones: units(of.tombstones, { cause: 'tombstone' }),
    grain: units(of.total + of.notRelevant, {}),
    verifiedShare: of.verifiedShare,
  };
}

export const ledgerRoutes = [
  read({
    path: '/ledger',
    permission: 'read',
    summary: 'Where every object went: the last closed ledger, and the terms now with their units',
    query: z.object({ scope: z.string().min(1).max(500).optional(), as_of: asOfParameter }),
    limits: ({ query: { scope } }) => given({ scope }),
    answer: ledger,
    handle: async ({ gcos, query: { scope, as_of: asked } }) => {
      const { gcos: pinned, asOf, fields } = await pin(gcos, asked);
      const filter = given({ scope });
      const shown = await pinned.ledgers.show(filter);
      const now = await pinned.ledgers.terms(filter);
      const { runId, kind, closedAt, snapshot, rulesetVersion, activeRuleset, notClosedSince } = shown;
      return {
        ...fields,
        ...{ closed: shown.closed, closes: shown.closes, runId, kind, closedAt, snapshot, rulesetVersion },
        ...{ activeRuleset, notClosedSince, caveats: shown.caveats, since: shown.since },
        last: shown.scopes,
        now: now.scopes.map((each) => linked(each, asOf)),
      };
    },
  }),
];
