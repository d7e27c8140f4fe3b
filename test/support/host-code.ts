// Code of a host as hosts usually write it: triggers, checks, defaults and generated columns on every table
// that GCOS writes, which name the host's tables and functions without a schema and set no search path of
// their own.
import { asHost } from './database.js';

/** The tables that GCOS writes, each with a column that is never null. */
const KEYS: Readonly<Record<string, string>> = {
  apr_action_types: 'action_code',
  apr_approvals: 'id',
  approval_requests: 'id',
  event_outbox: 'id',
  event_pending: 'id',
  event_read: 'event_id',
  event_subscription: 'id',
  event_type_registry: 'event_type',
  evolution_snapshots: 'id',
  queue_heartbeat: 'executor_name',
  registry_changelog: 'id',
  system_issues: 'id',
};
export const WRITTEN_TABLES = Object.keys(KEYS);

const FUNCTIONS = `
  create table host_rule (table_name text primary key);
  create table host_log (table_name text, operation text, fired text, path text default current_setting('search_path'));
  grant select on host_rule to public;
  grant select, insert on host_log to public;

  create function host_knows(p_table text) returns boolean language sql stable
    as 'select exists (select from host_rule where table_name = p_table)';
  create function host_suffix(p_word text) returns text language plpgsql immutable as 'begin return p_word || ''!''; end';
  create function host_mark(p_word text) returns text language plpgsql immutable as 'begin return host_suffix(p_word); end';
  create function host_number() returns bigint language plpgsql as 'begin return (select count(*) from host_rule); end';

  create function host_note() returns trigger language plpgsql as $host$
  begin
    insert into host_log (table_name, operation, fired) values (tg_table_name, tg_op, lower(tg_when || ' ' || tg_level));
    return null;
  end $host$;
  create function host_validate() returns trigger language plpgsql as $host$
  begin
    if not exists (select from host_rule where table_name = tg_table_name) then
      raise exception 'the host has no rule for %', tg_table_name;
    end if;
    return case when tg_op = 'DELETE' then old else new end;
  end $host$;`;

const onTable = (table: string): string => `
  insert into host_rule values ('${table}');
  alter table ${table} add constraint ${table}_host_knows check (host_knows('${table}'));
  alter table ${table} add column host_number bigint default host_number();
  alter table ${table} add column host_mark text generated always as (host_mark(${KEYS[table]}::text)) stored;
  create trigger host_validate before insert or update or delete on ${table} for each row execute function host_validate();
  create trigger host_note after insert or update or delete on ${table} for each row execute function host_note();
  create trigger host_note_all after insert or update or delete on ${table} for each statement execute function host_note();`;

/** Adds the code to the host at `url`. */
export async function addHostCode(url: string): Promise<void> {
  await asHost(url, [FUNCTIONS, ...WRITTEN_TABLES.map(onTable)].join('\n'));
}

/** What the triggers noted of rows: `table operation`. */
export async function notedBy(url: string): Promise<string[]> {
  const rows = await asHost(
    url,
    `select distinct table_name || ' ' || lower(operation) as noted from host_log where fired = 'after row' order by 1`,
  );
  return rows.map((row) => String(row['noted']));
}
