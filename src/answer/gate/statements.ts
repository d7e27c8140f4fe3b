// Owns the statements of this room and what they take and return.
import { statement } from '../../db/index.js';
import checkSql from './check.sql.js';
import foreseeSql from './foresee.sql.js';
import listSql from './list.sql.js';
import modesSql from './modes.sql.js';
import pruneSql from './prune.sql.js';
import whySql from './why.sql.js';

const DECIDED = {
  answer: 'text',
  mode: 'text',
  high_risk: 'bool',
  pass_code: 'text?',
  scopes: 'text[]',
  snapshot_refs: 'int8[]',
  ruleset_versions: 'text[]',
  scan_times: 'timestamptz[]',
  reasons: 'jsonb?',
} as const;

export const askGate = statement({
  name: 'gate.check',
  sql: checkSql,
  params: {
    collections: 'text[]',
    codes: 'text[]',
    groups: 'text[]',
    stages: 'text[]',
    actions: 'text[]',
    at: 'timestamptz?',
    closedWords: 'text[]',
  },
  columns: { check_id: 'int8', item_nos: 'int4[]', decided_at: 'timestamptz', ...DECIDED },
});

export const readDecisions = statement({
  name: 'gate.why',
  sql: whySql,
  params: { checkId: 'int8', after: 'int4', limit: 'int8' },
  columns: {
    check_id: 'int8',
    item_no: 'int4',
    decided_at: 'timestamptz',
    as_of: 'timestamptz',
    answer: 'text',
    mode: 'text',
    high_risk: 'bool',
    stage: 'text',
    action: 'text',
    login: 'text',
    person_ref: 'text?',
    collection_name: 'text?',
    entity_code: 'text?',
    group_asked: 'text?',
    inventory_key: 'text?',
    pass_code: 'text?',
    scopes: 'text[]',
    snapshot_refs: 'int8[]',
    ruleset_versions: 'text[]',
    scan_times: 'timestamptz[]',
    reasons: 'jsonb?',
  },
});

export const listChecks = statement({
  name: 'gate.list',
  sql: listSql,
  params: { before: 'int8?', limit: 'int8' },
  columns: {
    check_id: 'int8',
    decided_at: 'timestamptz',
    login: 'text',
    person_ref: 'text?',
    items: 'int8',
    allowed: 'int8',
    to_rescan: 'int8',
    blocked: 'int8',
    would_block: 'int8',
    passed: 'int8',
    first_subject: 'text?',
  },
});

export const pruneDecisions = statement({
  name: 'gate.prune',
  sql: pruneSql,
  params: { before: 'timestamptz' },
  columns: { decisions: 'int8', checks: 'int8' },
});

export const readObserving = statement({
  name: 'gate.modes',
  sql: modesSql,
  params: {},
  columns: { stage: 'text', would_have_blocked: 'int8' },
});

export const foreseeAnswers = statement({
  name: 'gate.foresee',
  sql: foreseeSql,
  params: {
    items: 'text[]',
    verdicts: 'text[]',
    invalid: 'text[]',
    required: 'bool[]',
    scanned: 'bool[]',
    outcomes: 'text[]',
    lapsed: 'bool[]',
    owners: 'text[]',
    profiles: 'text[]',
    risks: 'text[]',
    stage: 'text',
    action: 'text',
  },
  columns: { item: 'text', answer: 'text', high_risk: 'bool', codes: 'text[]' },
});

export const gateStatements = [
  askGate,
  readDecisions,
  listChecks,
  pruneDecisions,
  readObserving,
  foreseeAnswers,
];
