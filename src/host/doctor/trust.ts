// Owns the doctor's checks of what trust rests on: code of the host that runs when GCOS reads and writes,
// roles that may create where GCOS looks names up, the owner roles and their members, and functions that are
// no longer what `gcos init` created. It refuses what is unsafe, and names what an operator has to know.
import { type DeclaredFunction, OWNER_NAMES, ROLE_NAMES, roleOf, type Transaction } from '../../db/index.js';
import type { DiscoveredTable } from '../discovery.js';
import type { DoctorLine } from './report.js';
import {
  readCallers,
  readCreators,
  readFunctions,
  readHostCode,
  readOwnerRoles,
  readRoleCreators,
  readStandIns,
  readTrustSchema,
  readViews,
} from './trust.sql.js';

export interface TrustNames {
  readonly schema: string;
  readonly trustSchema: string;
  readonly rolePrefix: string;
}

const NAMED = 5;
const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, NAMED)
    .map((name) => `\`${name}\``)
    .join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`;

const line = (subject: string, state: DoctorLine['state'], detail: string): DoctorLine => ({
  section: 'trust',
  subject,
  state,
  detail,
});

const isWritten = ({ contract }: DiscoveredTable): boolean =>
  contract.access !== 'read' && contract.access !== 'never';

/** What of the host runs when GCOS uses its tables. Ordinary hosts have triggers: this only names them. */
async function checkHostCode(
  tx: Transaction,
  names: TrustNames,
  tables: readonly DiscoveredTable[],
): Promise<DoctorLine[]> {
  const written = tables.filter(isWritten).map((table) => table.contract.name);
  const all = tables.map((table) => table.contract.name);
  const owner = roleOf(names.rolePrefix, 'owner');
  const code = await tx.run(readHostCode, { schema: names.schema, relations: written });
  const views = await tx.run(readViews, { schema: names.schema, relations: all });
  return [
    ...code.map((row) =>
      line(
        row.relation,
        'note',
        `the ${row.kind} \`${row.name}\`${row.function_name === null ? '' : ` runs \`${row.function_name}\``} of \`${row.owner}\` with the rights of \`${owner}\` when GCOS writes`,
      ),
    ),
    ...views.map((row) =>
      line(
        row.relation,
        'warning',
        `is no table: code of \`${row.owner}\` runs with the rights of each login that reads it, GCOS's own included`,
      ),
    ),
  ];
}

/** Who may create where GCOS looks names up. */
async function checkCreators(
  tx: Transaction,
  names: TrustNames,
  tables: readonly DiscoveredTable[],
): Promise<DoctorLine[]> {
  const relations = tables.filter(isWritten).map((table) => table.contract.name);
  const creators = (await tx.run(readCreators, { schema: names.schema, relations })).map((row) => row.role);
  const standIns = await tx.run(readStandIns, { schema: names.schema });
  const subject = `schema ${names.schema}`;
  const lines: DoctorLine[] = [];
  if (creators.includes(''))
    lines.push(
      line(
        subject,
        'problem',
        `every role may create here, so every login could run code as GCOS's logins: run \`revoke create on schema ${names.schema} from public\``,
      ),
    );
  const others = creators.filter((role) => role !== '');
  if (others.length > 0)
    lines.push(
      line(
        subject,
        'warning',
        `${listed(others)} may create here: a function with the name of a built-in one can run with the rights of GCOS's logins (never of its owners); revoke CREATE, or trust these roles like the owner of the host tables`,
      ),
    );
  if (standIns.length > 0)
    lines.push(
      line(
        subject,
        'warning',
        `has functions or operators with the name of built-in ones, which statements may choose instead: ${listed(standIns.map((row) => `${row.name} of ${row.owner}`))}`,
      ),
    );
  return lines;
}

/** The owner roles, which have no password and no members: their rights are those of GCOS's functions. */
async function checkOwners(tx: Transaction, names: TrustNames): Promise<DoctorLine[]> {
  const owners = OWNER_NAMES.map((name) => roleOf(names.rolePrefix, name));
  const lines: DoctorLine[] = [];
  for (const { role, can_log_in, is_powerful, members, administrators } of await tx.run(readOwnerRoles, {
    owners,
  })) {
    const subject = `role ${role}`;
    if (can_log_in) lines.push(line(subject, 'problem', `can log in: run \`alter role ${role} nologin\``));
    if (is_powerful)
      lines.push(
        line(
          subject,
          'problem',
          'may create roles, bypasses row-level security or is a superuser: it needs none of that',
        ),
      );
    if (members.length > 0)
      lines.push(
        line(
          subject,
          'problem',
          `${listed(members)} can act as this role, past GCOS's functions: run \`revoke ${role} from …\``,
        ),
      );
    const only = administrators.filter((name) => !members.includes(name));
    if (only.length > 0)
      lines.push(
        line(
          subject,
          'warning',
          `${listed(only)} can become a member (ADMIN OPTION, which the role that creates another one gets): a superuser can revoke it`,
        ),
      );
  }
  const creators = (await tx.run(readRoleCreators, {})).map((row) => row.role);
  if (creators.length > 0)
    lines.push(
      line(
        'roles with CREATEROLE',
        'warning',
        `before PostgreSQL 16, ${listed(creators)} can become a member of every role that is no superuser, the owners included`,
      ),
    );
  return lines;
}

async function checkTrustSchema(tx: Transaction, names: TrustNames): Promise<DoctorLine[]> {
  const subject = `schema ${names.trustSchema}`;
  const expected = roleOf(names.rolePrefix, 'trust_owner');
  const roles = ROLE_NAMES.map((name) => roleOf(names.rolePrefix, name));
  const [found] = await tx.run(readTrustSchema, { trustSchema: names.trustSchema, roles });
  if (found === undefined) return [line(subject, 'problem', 'does not exist: run `gcos init` again')];
  const lines: DoctorLine[] = [];
  if (found.owner !== expected)
    lines.push(line(subject, 'problem', `belongs to \`${found.owner}\`, not to \`${expected}\``));
  if (found.creators.length > 0)
    lines.push(
      line(subject, 'problem', `${listed(found.creators)} may create in it; only \`${expected}\` may`),
    );
  if (found.foreign_relations.length > 0)
    lines.push(
      line(
        subject,
        'problem',
        `${listed(found.foreign_relations)} in it belong to another role than the schema`,
      ),
    );
  if (found.foreign_writers.length > 0)
    lines.push(
      line(subject, 'problem', `other roles may change its tables: ${listed(found.foreign_writers)}`),
    );
  return lines;
}

/** Compares the functions in the database with the migrations of this code. */
async function checkFunctions(
  tx: Transaction,
  names: TrustNames,
  declared: readonly DeclaredFunction[],
): Promise<DoctorLine[]> {
  const roles = ROLE_NAMES.map((name) => roleOf(names.rolePrefix, name));
  const owners = OWNER_NAMES.map((name) => roleOf(names.rolePrefix, name));
  const found = await tx.run(readFunctions, { trustSchema: names.trustSchema, roles });
  const altered = found.filter(
    (fn) =>
      !owners.includes(fn.owner) ||
      !declared.some(
        (each) =>
          each.name === fn.name &&
          (each.body ?? '') === fn.body &&
          each.isDefiner === fn.is_definer &&
          each.isPinned === fn.is_pinned,
      ),
  );
  const present = new Set(found.map((fn) => fn.name));
  const missing = [...new Set(declared.map((fn) => fn.name).filter((name) => !present.has(name)))];
  const open = found.filter((fn) => fn.strangers.length > 0);
  const callers = await tx.run(readCallers, { trustSchema: names.trustSchema, owners });
  const subject = 'functions of GCOS';
  const lines: DoctorLine[] = [];
  if (altered.length > 0)
    lines.push(
      line(
        subject,
        'problem',
        `${listed(altered.map((fn) => fn.signature))} ${altered.length === 1 ? 'is' : 'are'} not what \`gcos init\` created: find out who altered them`,
      ),
    );
  if (missing.length > 0) lines.push(line(subject, 'problem', `${listed(missing)} do not exist`));
  if (open.length > 0)
    lines.push(
      line(
        subject,
        'warning',
        `other roles may call ${listed(open.map((fn) => `${fn.signature} (${fn.strangers.join(', ')})`))}`,
      ),
    );
  if (callers.length > 0)
    lines.push(
      line(
        subject,
        'warning',
        `code outside GCOS calls them: ${listed(callers.map((row) => `${row.caller} calls ${row.function_name}`))}; an act made there is refused`,
      ),
    );
  if (lines.length === 0) lines.push(line(subject, 'ok', `${found.length} as \`gcos init\` created them`));
  return lines;
}

/**
 * `declared`: the functions that this code creates; undefined if GCOS is not installed or of another version.
 */
export async function checkTrust(
  tx: Transaction,
  names: TrustNames,
  tables: readonly DiscoveredTable[],
  declared: readonly DeclaredFunction[] | undefined,
): Promise<DoctorLine[]> {
  const lines = [...(await checkCreators(tx, names, tables)), ...(await checkHostCode(tx, names, tables))];
  if (declared === undefined) return lines;
  return [
    ...lines,
    ...(await checkOwners(tx, names)),
    ...(await checkTrustSchema(tx, names)),
    ...(await checkFunctions(tx, names, declared)),
  ];
}
