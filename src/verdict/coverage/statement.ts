// Owns the text of the evaluation: its shape is fixed, its sources are what the rules name and the host has.
import { quoteIdentifier, quoteLiteral, type Statement, statement, type Values } from '../../db/index.js';
import evaluateSql from './evaluate.sql.js';
import foreseenOutcomesSql from './foresee/outcomes.sql.js';
import foreseenRowsSql from './foresee/rows.sql.js';
import ownershipSql from './ownership.sql.js';
import type { CoverageRules, EvidenceRule, LinkedRegistry } from './rules.js';

const PARAMS = {
  classes: 'text[]',
  scopes: 'text[]',
  links: 'text[]',
  inventoryKeys: 'text[]?',
  canaryClasses: 'text[]',
  canaryReferences: 'text[]',
  at: 'timestamptz',
  /** Registries whose members have an authority of their own, and those that name who executes a member. */
  selfAuthorised: 'text[]',
  executed: 'text[]',
  ownershipAvailable: 'bool',
  evaluable: 'text[]',
  runId: 'text',
} as const;
const COLUMNS = {
  what: 'text',
  unit_no: 'int8?',
  kind: 'text',
  inventory_key: 'text?',
  scope: 'text?',
  object_class: 'text?',
  source_registry: 'text?',
  code: 'text?',
  link: 'text?',
  state: 'text?',
  risk_class: 'text?',
  tool: 'text?',
  amount: 'int8',
} as const;
/** What the evaluation returns, a line at a time. */
export type EvaluatedRow = Values<typeof COLUMNS>;

const NO_OWNERSHIP = `select null::bigint as unit_no, null::integer as distance, null::text as owner, null::boolean as live,
    null::timestamptz as next_change, null::text as approval_ref, null::text as audit_ref, null::text as rollback_ref,
    null::text as law_ref, null::text as design_ref
  where false`;

const conditions = (where: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(where)
    .map(
      ([column, words]) =>
        ` and t.${quoteIdentifier(column)}::text = any (array[${words.map(quoteLiteral).join(', ')}]::text[])`,
    )
    .join('');

/** A look-up per reference, by whatever index the table has: the table may be the host's largest. */
function evidenceText(rule: EvidenceRule): string {
  const link = quoteLiteral(rule.link);
  const wanted = `select w.link, w.ref from wanted w where w.link = ${link}`;
  if ('form' in rule) return `${wanted} and w.ref ~ ${quoteLiteral(rule.form)}`;
  const table = `${quoteIdentifier(rule.table)} t`;
  const more = conditions(rule.where);
  if ('columns' in rule) {
    const joined = rule.columns.map((column) => `t.${quoteIdentifier(column)}::text`).join(" || '.' || ");
    return `${wanted} and w.ref in (select ${joined} from ${table} where true${more})`;
  }
  const column = `t.${quoteIdentifier(rule.column)}`;
  const match =
    rule.prefix === undefined
      ? `${column}::text = w.ref`
      : `${column} = case when starts_with(w.ref, ${quoteLiteral(rule.prefix)}) and substr(w.ref, ${[...rule.prefix].length + 1}) ~ '^[0-9]{1,18}$'
        then substr(w.ref, ${[...rule.prefix].length + 1})::bigint end`;
  return `${wanted} and (select true from ${table} where ${match}${more} limit 1)`;
}

function membersText(registries: readonly LinkedRegistry[]): string {
  const parts = registries.map(({ registry, columns }) => {
    const code = `m.${quoteIdentifier(registry.codeColumn ?? '')}::text`;
    const values = columns
      .map(([link, column]) => `(${quoteLiteral(link)}, m.${quoteIdentifier(column)}::text)`)
      .join(', ');
    return `select ${quoteLiteral(registry.name)}::text, ${code}, r.link, r.ref from ${quoteIdentifier(registry.name)} m
    cross join lateral (values ${values}) as r(link, ref) where nullif(r.ref, '') is not null`;
  });
  return parts.length === 0
    ? 'select null::text, null::text, null::text, null::text where false'
    : parts.join('\n  union all\n  ');
}

function toolsText(rules: CoverageRules): string {
  const { table, code, authority } = rules.columns.tool;
  return rules.has(table, code, authority)
    ? `select t.${quoteIdentifier(code)}::text, t.${quoteIdentifier(authority)}::text from ${quoteIdentifier(table)} t`
    : 'select null::text, null::text where false';
}

function textOf(sql: string, rules: CoverageRules, registries: readonly LinkedRegistry[]): string {
  const evidence =
    rules.evidence.length === 0
      ? 'select null::text as link, null::text as ref where false'
      : rules.evidence.map(evidenceText).join('\n  union\n  ');
  const fill: Readonly<Record<string, string>> = {
    ownership: rules.ownershipAvailable ? ownershipSql.trim() : NO_OWNERSHIP,
    members: membersText(registries),
    tools: toolsText(rules),
    evidence,
    within: '($4::text[] is null or c.inventory_key = any ($4::text[]))',
  };
  return sql.replaceAll(/\{\{(\w+)\}\}/g, (_, part: string) => fill[part] ?? '');
}

export function evaluateStatement(
  rules: CoverageRules,
  registries: readonly LinkedRegistry[],
): Statement<typeof PARAMS, typeof COLUMNS> {
  return statement({
    name: 'coverage.evaluate',
    sql: textOf(evaluateSql, rules, registries),
    params: PARAMS,
    columns: COLUMNS,
  });
}

const FORESEEN = {
  ...PARAMS,
  /** Relevant groups and objects that may have no rows. */
  unitNos: 'int8[]',
  isObject: 'bool[]',
  unitInventoryKeys: 'text[]',
  unitScopes: 'text[]',
  unitClasses: 'text[]',
  unitRegistries: 'text[]',
  unitCodes: 'text[]',
  unitBirthIds: 'int8[]',
  unitWeights: 'int4[]',
  unitRisks: 'text[]',
} as const;

/** The parts of the evaluation, by the marks between them. */
function partsOf(): { readonly judging: string; readonly answering: string } {
  const [judging, writing] = evaluateSql.split('-- {{writing}}');
  const [, answer] = (writing ?? '').split('-- {{answering}}');
  const [answering] = (answer ?? '').split('-- {{counting}}');
  // INVARIANT: the marks are there, in this order; the contract with the server tests what comes of it.
  if (judging === undefined || !answering) throw new Error('the evaluation has lost its marks');
  return { judging, answering };
}

/** The same evaluation of units that are given instead of read, up to where something would be written; what each comes to is returned. */
function foreseeText(): string {
  const { judging, answering } = partsOf();
  const asked = judging
    .replace(/^with required/m, () => `with ${foreseenRowsSql.trim()},\nrequired`)
    .replaceAll('governance_candidate_state c', 'foreseen_state c')
    .replaceAll('governance_candidate_object c', 'foreseen_object c')
    .replaceAll('governance_inventory i', 'foreseen_inventory i')
    .replace(/,\s*$/, '\n');
  return `${asked}${answering}${foreseenOutcomesSql}`;
}
const FORESEE = foreseeText();

export function foreseeStatement(
  rules: CoverageRules,
  registries: readonly LinkedRegistry[],
): Statement<typeof FORESEEN, typeof COLUMNS> {
  const sql = textOf(FORESEE, rules, registries);
  return statement({ name: 'coverage.foresee', sql, params: FORESEEN, columns: COLUMNS });
}
