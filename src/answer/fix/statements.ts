// Owns the statements of this room and what they take and return.
import { statement } from '../../db/index.js';
import findingSql from './finding.sql.js';
import gapsSql from './gaps.sql.js';
import lockSql from './lock.sql.js';
import othersSql from './others.sql.js';
import pendingSql from './pending.sql.js';
import standingSql from './standing.sql.js';

export const readGaps = statement({
  name: 'fix.gaps',
  sql: gapsSql,
  params: { closedWords: 'text[]', links: 'text[]', types: 'text[]' },
  columns: {
    action: 'text',
    link: 'text',
    kind: 'text',
    subject: 'text',
    collection: 'text?',
    scope: 'text?',
    objects: 'int8',
    alone: 'int8',
    members: 'int8',
    sample: 'text[]',
    owners: 'text[]',
    findings: 'text[]',
    routes: 'text[]',
    severity: 'text?',
    snapshot: 'int8',
    ruleset: 'text',
    scan_time: 'timestamptz',
    run: 'text?',
  },
});

const FINDING = {
  code: 'text',
  type: 'text',
  subject: 'text',
  scope: 'text?',
  severity: 'text',
  routes: 'text[]',
  ruleset: 'text?',
  closed_when: 'text',
  entity_type: 'text?',
  entity_code: 'text?',
  run: 'text?',
} as const;

export const readOthers = statement({
  name: 'fix.others',
  sql: othersSql,
  params: { closedWords: 'text[]', alone: 'text[]', unplaced: 'text[]' },
  columns: { ...FINDING, objects: 'int8', members: 'int8', sample: 'text[]' },
});

export const readFinding = statement({
  name: 'fix.finding',
  sql: findingSql,
  params: { code: 'text', closedWords: 'text[]' },
  columns: { ...FINDING, is_open: 'bool' },
});

export const readPending = statement({
  name: 'fix.pending',
  sql: pendingSql,
  params: { remedy: 'text' },
  columns: { code: 'text' },
});

export const lockProposals = statement({
  name: 'fix.lock',
  sql: lockSql,
  params: {},
  columns: { locked: 'text' },
});

export const readStanding = statement({
  name: 'fix.standing',
  sql: standingSql,
  params: {},
  columns: { snapshot: 'int8?', not_evaluated: 'int8' },
});

export const fixStatements = [readGaps, readOthers, readFinding, readPending, lockProposals, readStanding];
