// An installed estate for each test of findings, a sample observation, and a query for the rows in the host.
import { afterEach, beforeEach } from 'vitest';
import {
  type FindingContext,
  type Observation,
  type Transitions,
  writeFindings,
} from '../../src/record/finding/index.js';
import { setClock } from './clock.js';
import { asHost } from './database.js';
import { createEstate, type Estate } from './estate.js';

export const RULES = 'gov-rs-000000000001';
export const RC = { isolation: 'read committed' } as const;

export let estate: Estate;

/** Provides a new estate for each test of the file. */
export function useFindings(): void {
  beforeEach(async () => {
    estate = await createEstate('installed');
  });
  afterEach(() => estate?.close());
}

export const gap = (subject: string, more: Partial<Observation> = {}): Observation => ({
  type: 'owner_gap',
  subject,
  scope: 'policy',
  entityType: 'governance_group',
  entityCode: subject,
  link: 'owner',
  ...more,
});

export const context = (more: Partial<FindingContext> = {}): FindingContext => ({
  runId: 'run-1',
  at: '2026-06-01 12:00:00+00',
  ruleset: RULES,
  activeRuleset: RULES,
  ...more,
});

/** Writes the observations at the time of their context, where the clock stops. */
export async function write(
  observations: readonly Observation[],
  more: Partial<FindingContext> = {},
): Promise<Transitions> {
  const given = context(more);
  await setClock(estate.url, { at: given.at });
  return estate.db.transaction(RC, (tx) => writeFindings(tx, observations, given));
}

export const issues = () =>
  asHost(
    estate.url,
    `select i.code, i.issue_type, i.issue_class, i.sub_class, i.severity, i.status, i.occurrence_count as n,
       i.reopen_count as reopens, i.entity_code, i.parent_issue_id::int as parent, i.id::int as id, i.coalesce_key as key,
       i.first_seen_at::text as first, i.last_seen_at::text as last, i.run_id, i.evidence_snapshot as evidence
     from system_issues i where i.source_system = 'gcos' and i.source = 'gcos' order by i.id`,
  );

/** Declares that these subjects were evaluated; `ALL` declares that all were. */
export const evaluated = (...subjects: string[]) => ({ evaluated: { types: ['owner_gap'], subjects } });
export const ALL = { evaluated: { types: ['owner_gap'], subjects: 'all' as const } };
