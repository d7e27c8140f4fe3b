// Makes docs/reference/functions.md from the catalog of an installed schema and the entries of the catalogue,
// and finds what does not fit.
import { asHost } from './database.js';
import { type FunctionEntry, functionCatalogue } from './function-catalogue.js';

interface Granted {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: string }[];
  readonly callers: readonly string[];
  readonly runsAs: string;
  readonly writes: boolean;
}

const LOGINS = ['gcos_reader', 'gcos_worker', 'gcos_api', 'gcos_server', 'gcos_pruner'];

/** The functions that a login of GCOS may call. */
export async function readGranted(url: string): Promise<Granted[]> {
  const rows = await asHost(
    url,
    `select p.proname::text as name, p.prosecdef as definer, pg_get_userbyid(p.proowner)::text as owner, p.provolatile = 'v' as writes,
       coalesce((select jsonb_agg(jsonb_build_object('name', coalesce(p.proargnames[a.place], ''), 'type', format_type(a.type, null)) order by a.place)
         from unnest(p.proargtypes::oid[]) with ordinality as a(type, place)), '[]') as args,
       array(select r.rolname::text from pg_roles r
         where r.rolname = any (array['${LOGINS.join("', '")}']) and has_function_privilege(r.oid, p.oid, 'execute')
         order by 1) as callers
     from pg_proc p
     where p.pronamespace = 'gcos_trust'::regnamespace and pg_get_userbyid(p.proowner) in ('gcos_owner', 'gcos_trust_owner', 'gcos_source')
     order by p.proname collate "C", pg_get_function_identity_arguments(p.oid) collate "C"`,
  );
  return rows
    .map((row) => ({
      name: String(row['name']),
      args: row['args'] as Granted['args'],
      callers: row['callers'] as string[],
      runsAs: row['definer'] === true ? String(row['owner']) : 'the caller',
      writes: row['writes'] === true,
    }))
    .filter((fn) => fn.callers.length > 0);
}

const FACT_NAME =
  /^(p_)?(at|now|as_of|closed|risk|reached|alert_level|host_\w+|open|resolved|severity|status|stream|lane|routes|ledger|proof|metrics|payload|ttl|ruleset|fingerprint|(\w+_)?hash(es)?|(\w+_)?at)$/;

/** Whether an argument looks like something that the database knows better than the caller. */
export const looksLikeFact = (arg: Granted['args'][number]): boolean =>
  arg.type.startsWith('timestamp') || FACT_NAME.test(arg.name);

/** What does not fit: functions without an entry, entries without a function, facts without a reason. */
export function problemsOf(
  granted: readonly Granted[],
  entries: Readonly<Record<string, FunctionEntry>> = functionCatalogue,
): string[] {
  const names = new Set(granted.map((fn) => fn.name));
  return [
    ...granted
      .filter((fn) => entries[fn.name] === undefined)
      .map((fn) => `${fn.name} is granted and has no entry`),
    ...Object.entries(entries)
      .filter(([name]) => !names.has(name))
      .map(([name]) => `${name} has an entry and is not granted to a login`),
    ...granted.flatMap((fn) => {
      const entry = entries[fn.name];
      if (entry === undefined) return [];
      return fn.args
        .filter((arg) => looksLikeFact(arg) && entry.facts?.[arg.name] === undefined)
        .map((arg) => `${fn.name} takes the fact ${arg.name} without a reason`);
    }),
  ];
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The page: one row per function that a login may call. */
export function functionsPage(granted: readonly Granted[]): string {
  const rows = granted.map((fn) => {
    const entry = functionCatalogue[fn.name];
    const reasons = fn.args.flatMap((arg) => {
      const reason = entry?.facts?.[arg.name];
      return reason === undefined ? [] : [`\`${arg.name}\`: ${reason}`];
    });
    return [
      `\`${fn.name}\``,
      fn.args.length === 0 ? '–' : fn.args.map((arg) => `\`${arg.name}\` ${arg.type}`).join(', '),
      fn.callers.map((role) => role.replace('gcos_', '')).join(', '),
      fn.runsAs === 'the caller' ? 'caller' : fn.runsAs.replace('gcos_', ''),
      fn.writes ? 'yes' : 'no',
      entry?.does ?? '',
      [entry?.derives ?? '', ...reasons].join('; '),
    ]
      .map(cell)
      .join(' | ');
  });
  return `# Functions

Every function of GCOS that a login may call, from the catalog of an installed schema (\`npm run docs\` writes this page). All are in the
schema of what carries trust (\`gcos_trust\`) and resolve names in \`pg_catalog\` only. A function that runs as an owner takes keys and reasons
from its caller, and derives the facts in the database. Where an argument looks like a fact, the last column says why it may be given.
A person's act also needs a row of \`governance_actor\` for the login. [Trust](../trust.md) describes the roles.

| function | arguments | callable by | runs as | may write | does | derives |
|---|---|---|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}
`;
}
