// A role that may create in the host's schema adds functions and operators that match the arguments of GCOS's
// statements better than the server's own. None of them runs with the rights of an owner of GCOS.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { countOf } from '../support/events.js';
import { createLogin, type HostOwner } from '../support/hosts.js';
import { putRulesIntoForce } from '../support/ruleset-in-force.js';
import { workOnce } from '../support/working.js';

/**
 * Columns that GCOS compares, as hosts with Directus have them: varchar, for which the server has no
 * operators.
 */
const VARCHAR: Readonly<Record<string, readonly string[]>> = {
  system_issues: ['code', 'coalesce_key', 'status', 'source_system'],
  event_type_registry: ['default_severity', 'delivery_lane'],
  event_pending: ['event_type_hint', 'entity_table', 'entity_ref'],
  event_subscription: ['recipient_ref', 'event_type', 'event_stream'],
  event_read: ['actor_ref'],
  queue_heartbeat: ['executor_kind'],
  evolution_snapshots: ['scope'],
};

/** Name and argument types, what it returns, and the server's own in its place. */
const FUNCTIONS: readonly (readonly [string, string, string])[] = [
  ['hashtextextended(text, integer)', 'bigint', 'hashtextextended($1, $2::bigint)'],
  ['left(varchar, integer)', 'text', 'left($1::text, $2)'],
  ['length(varchar)', 'integer', 'length($1::text)'],
  ['lower(varchar)', 'text', 'lower($1::text)'],
  ['md5(varchar)', 'text', 'md5($1::text)'],
  ['octet_length(varchar)', 'integer', 'octet_length($1::text)'],
  ['starts_with(varchar, text)', 'boolean', 'starts_with($1::text, $2)'],
  ['starts_with(varchar, varchar)', 'boolean', 'starts_with($1::text, $2::text)'],
  ['format(text, text)', 'text', 'format($1, variadic array[$2])'],
  ['format(text, text, text)', 'text', 'format($1, variadic array[$2, $3])'],
  ['cardinality(text[])', 'integer', 'cardinality($1)'],
  ['array_position(text[], text)', 'integer', 'array_position($1, $2)'],
  ['to_jsonb(timestamptz)', 'jsonb', 'to_jsonb($1)'],
  ['jsonb_build_object(text, bigint)', 'jsonb', 'jsonb_build_object(variadic array[$1, $2::text])'],
  ['jsonb_typeof(json)', 'text', 'jsonb_typeof($1::jsonb)'],
  ['set_config(varchar, varchar, boolean)', 'text', 'set_config($1::text, $2::text, $3)'],
];
const SETS = ['text', 'boolean', 'bigint', 'uuid', 'jsonb'];
const OPERATORS: readonly (readonly [string, string, string, string])[] = [
  ...(['=', '<>', '||', '~~'] as const).flatMap((name) =>
    [
      ['varchar', 'text'],
      ['text', 'varchar'],
      ['varchar', 'varchar'],
    ].map(([left = '', right = '']) => [name, left, right, name === '||' ? 'text' : 'boolean'] as const),
  ),
  ['*', 'bigint', 'interval', 'interval'],
  ['^', 'integer', 'integer', 'double precision'],
  ['->>', 'jsonb', 'varchar', 'text'],
];

function trap(signature: string, returns: string, own: string): string {
  const call = returns.startsWith('setof') ? `return query select ${own}` : `return ${own}`;
  return `create function public.${signature} returns ${returns} language plpgsql set search_path = pg_catalog as $trap$
    begin
      if current_user in ('gcos_owner', 'gcos_trust_owner') then
        insert into public.captured values ($name$${signature}$name$, current_user);
      end if;
      ${call};
    end $trap$;`;
}

const traps = (): string =>
  [
    'create table public.captured (signature text, captor text); grant select, insert on public.captured to public;',
    ...FUNCTIONS.map(([signature, returns, own]) => trap(signature, returns, own)),
    ...SETS.map((type) => trap(`unnest(${type}[])`, `setof ${type}`, 'unnest($1)')),
    ...OPERATORS.map(([name, left, right, returns], n) => {
      const cast = (at: string, type: string) => (type === 'varchar' ? `${at}::text` : at);
      const own = `${name === '*' || name === '^' ? '$1::double precision' : cast('$1', left)} ${name} ${name === '^' ? '$2::double precision' : cast('$2', right)}`;
      return `${trap(`trap_${n}(${left}, ${right})`, returns, own)}
        create operator public.${name} (leftarg = ${left}, rightarg = ${right}, function = public.trap_${n});`;
    }),
  ].join('\n');

describe('functions and operators in the schema of the host', () => {
  let estate: Estate;
  let attacker: HostOwner;
  beforeEach(async () => {
    estate = await createEstate('host');
    await asHost(
      estate.url,
      Object.entries(VARCHAR)
        .flatMap(([table, columns]) =>
          columns.map((column) => `alter table ${table} alter column ${column} type varchar;`),
        )
        .join('\n'),
    );
    await estate.gcos.init();
    attacker = await createLogin(estate.url, 'creator');
    await asHost(estate.url, `grant create on schema public to ${attacker.role}`);
    await attacker.run(traps());
  });
  afterEach(async () => {
    const server = estate.url.replace(/\/[^/]*$/, '/postgres');
    await estate.close();
    await asHost(server, `drop role ${attacker.role}`);
  });

  it('never run with the rights of an owner of GCOS', async () => {
    const { gcos, url } = estate;
    await putRulesIntoForce(gcos);
    await gcos.events.activate(['*']);
    await gcos.inbox.subscribe({ recipient: 'GOV-SIV' });
    await gcos.backfills.run({});
    await gcos.scans.run({ mode: 'full' });
    await workOnce(gcos);
    const [first] = await gcos.inbox.list({ recipient: 'GOV-SIV', limit: 1, all: false });
    expect(await gcos.inbox.read({ recipient: 'GOV-SIV', ids: [first?.id ?? 0n] })).toBe(1);
    await gcos.inbox.mute({ recipient: 'GOV-SIV' });
    await asHost(
      url,
      `update gcos_trust.governance_setting set setting_value = '{"gate_days": 0, "snapshot_days": 0}' where setting_key = 'prune.minimum_age'`,
    );
    for (let n = 0; n < 2; n += 1) await gcos.snapshots.capture({ kind: 'full' });
    expect((await gcos.snapshots.prune({ keep: 1 })).snapshots.length).toBeGreaterThan(0);
    expect(await countOf(url, "system_issues where source_system = 'gcos'")).toBeGreaterThan(0);
    expect(await asHost(url, 'select distinct signature, captor from captured')).toEqual([]);

    // The traps work: a function that resolves its names in this schema is captured.
    await asHost(
      url,
      `create function gcos_trust.careless() returns void language plpgsql security definer
         set search_path = pg_catalog, public, pg_temp as $careless$
       begin
         perform hashtextextended('x', 0) from unnest(array['x']) as u where u = 'x'::varchar;
       end $careless$;
       alter function gcos_trust.careless() owner to gcos_owner;
       select gcos_trust.careless()`,
    );
    expect(await asHost(url, 'select distinct signature, captor from captured order by 1')).toEqual([
      { signature: 'hashtextextended(text, integer)', captor: 'gcos_owner' },
      { signature: 'trap_1(text, varchar)', captor: 'gcos_owner' },
      { signature: 'unnest(text[])', captor: 'gcos_owner' },
    ]);
  });
});
