// Owns the SQL parts of the evaluation that depend on the host: the tables of ownership, members, tools and
// evidence.
import { quoteIdentifier, quoteLiteral } from '../../db/index.js';
import { type CoverageRules, type EvidenceRule, type LinkedRegistry, OWNERSHIP } from './rules.js';

const ownershipPart = (
  chain: string,
) => `select o.object_type::text, o.object_ref::text, o.scope::text, o.owner_gov_code::text, o.is_inherited_anchor,
    o.effective_from, o.effective_to, o.approval_ref::text, o.audit_ref::text, o.rollback_ref::text, o.source_law_ref::text,
    o.source_design_ref::text, ${chain}
  from governance_object_ownership o
  where o.owner_kind = 'accountable' and o.lifecycle_status = 'active'`;
const NO_OWNERSHIP = `select null::text, null::text, null::text, null::text, null::boolean, null::timestamptz, null::timestamptz,
    null::text, null::text, null::text, null::text, null::text, null::bigint, null::bigint
  where false`;
const NO_MEMBERS = 'select null::text, null::text, null::text, null::text where false';
const NO_TOOLS = 'select null::text, null::text where false';
const NO_EVIDENCE = 'select null::text as link, null::text as ref where false';

/** SQL: each column of row `t` has one of the values in `where`. */
export const conditions = (where: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(where)
    .map(
      ([column, words]) =>
        ` and t.${quoteIdentifier(column)}::text = any (array[${words.map(quoteLiteral).join(', ')}]::text[])`,
    )
    .join('');

/**
 * One look-up per reference, by an index of the table if there is one, because the table may be the largest
 * of the host.
 */
function evidencePart(rule: EvidenceRule): string {
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

function membersPart(registries: readonly LinkedRegistry[]): string {
  const parts = registries.map(({ registry, columns }) => {
    const code = `m.${quoteIdentifier(registry.codeColumn ?? '')}::text`;
    const values = columns
      .map(([link, column]) => `(${quoteLiteral(link)}, m.${quoteIdentifier(column)}::text)`)
      .join(', ');
    return `select ${quoteLiteral(registry.name)}::text, ${code}, r.link, r.ref from ${quoteIdentifier(registry.name)} m
    cross join lateral (values ${values}) as r(link, ref) where nullif(r.ref, '') is not null`;
  });
  return parts.length === 0 ? NO_MEMBERS : parts.join('\n  union all\n  ');
}

function toolsPart(rules: CoverageRules): string {
  const { table, code, authority } = rules.columns.tool;
  return rules.has(table, code, authority)
    ? `select t.${quoteIdentifier(code)}::text, t.${quoteIdentifier(authority)}::text from ${quoteIdentifier(table)} t`
    : NO_TOOLS;
}

/** The SQL parts to evaluate units whose members are in `registries`. */
export function partsOf(rules: CoverageRules, registries: readonly LinkedRegistry[]) {
  const chain = rules.has(OWNERSHIP, 'id', 'supersedes_id')
    ? 'o.id::bigint, o.supersedes_id::bigint'
    : 'null::bigint, null::bigint';
  return {
    ownership: rules.ownershipAvailable ? ownershipPart(chain) : NO_OWNERSHIP,
    members: membersPart(registries),
    tools: toolsPart(rules),
    evidence:
      rules.evidence.length === 0 ? NO_EVIDENCE : rules.evidence.map(evidencePart).join('\n  union\n  '),
  };
}
