// What a member of gcos_api cannot do with psql, with and without a person: no signals, no findings, no work,
// no time.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../../support/database.js';
import type { CreateEstate, Estate } from '../../support/estate.js';
import { createPeople, type People } from '../../support/people.js';

export function memberAttacks(create: CreateEstate): void {
  let estate: Estate;
  let people: People;
  beforeEach(async () => {
    estate = await create('installed');
    people = createPeople(estate.url);
  });
  afterEach(async () => {
    await people.close();
    await estate.close();
  });
  const DENIED = { code: '42501' };

  describe('a member', () => {
    it('calls none of the functions of workers, pruners and the installation', async () => {
      const stranger = await people.login('stranger');
      const member = await people.person('mia', 'member');
      // All functions of workers: what they may call and all members may not.
      const functions = await asHost(
        estate.url,
        `select p.oid::regprocedure::text as signature, p.proname as name,
           array(select 'null::' || format_type(t, null) from unnest(p.proargtypes) as t)::text[] as nulls
         from pg_proc p
         where p.pronamespace = 'gcos_trust'::regnamespace and p.prorettype <> 'trigger'::regtype and p.provariadic = 0
           and not has_function_privilege('gcos_api', p.oid, 'execute')`,
      );
      const names = functions.map((row) => String(row['name']));
      for (const name of [
        'gcos_emit',
        'gcos_escalate',
        'gcos_redeliver',
        'gcos_promote',
        'gcos_write_findings',
        'gcos_audit',
        'gcos_audit_work',
        'gcos_seed_input',
        'gcos_seed_reach',
        'gcos_note_watched',
        'gcos_begin_run',
        'gcos_write_run',
        'gcos_end_runs',
        'gcos_tick',
        'gcos_end_heartbeat',
        'gcos_advance_cursor',
        'gcos_reset_cursor',
        'gcos_append_snapshot',
        'gcos_prune_gate',
        'gcos_prune_snapshots',
        'gcos_host_prune_snapshots',
        'gcos_require_actor',
        'gcos_add_types',
      ])
        expect(names, name).toContain(name);
      for (const { url } of [stranger, member])
        for (const row of functions) {
          const call = `select ${row['name']}(${(row['nulls'] as string[]).join(', ')})`;
          await expect(asHost(url, call), call).rejects.toMatchObject(DENIED);
        }
    });

    it('acts only as a person: without one, every act is refused and changes nothing', async () => {
      const { url } = await people.login('stranger');
      for (const call of [
        'gcos_set_paused(true, $$why$$)',
        'gcos_retry_dead_letters(null, null)',
        'gcos_retry_signals(null)',
        `gcos_read('GOV-COUNCIL', null)`,
        `gcos_subscribe('R', null, null, null, '{}')`,
        `gcos_mute('R', null, null, null, true, false)`,
        `gcos_set_types_active(array['owner.gap'], true)`,
        `gcos_register_types('{a.b}', '{s}', '{low}', '{d}', '{f}')`,
      ])
        await expect(asHost(url, `select ${call}`), call).rejects.toMatchObject(DENIED);
    });

    it('retries dead letters at the time of the server, and the audit row names the person', async () => {
      const member = await people.person('mia', 'member');
      await asHost(
        estate.url,
        `insert into gov_worker_retry (worker, source, round, failed_table, failed_ref, address, failures, last_error, detail,
           first_failed_at, last_failed_at, dead_lettered_at)
         values ('intake', 's', 'main', 't', 'a', 't:a', 5, 'it failed', '{}', '2026-01-01Z', '2026-01-01Z', '2026-01-01Z')`,
      );
      expect(
        await asHost(member.url, `select letter_origin from gcos_retry_dead_letters(null, null)`),
      ).toEqual([{ letter_origin: 'intake' }]);
      expect(
        await asHost(
          estate.url,
          `select retried_by as by, next_attempt_at > now() - interval '1 hour' as recent
           from gov_worker_retry where worker = 'intake'`,
        ),
      ).toEqual([{ by: 'mia', recent: true }]);
      expect(
        await asHost(
          estate.url,
          `select entity_code, changed_by from registry_changelog where entity_type = 'governance_dead_letter'`,
        ),
      ).toEqual([{ entity_code: 'intake', changed_by: `gcos:${member.login} for mia` }]);
    });

    it('finds no function of members or workers that takes a time for what it records', async () => {
      // Reads answer as of a time; the since of a run of the promoter is one that the function returned.
      const allowed =
        /^(gcos_promote|gcos_gate_.*|gcos_(grant|revoke)_exception|gcos_\w*exception\w*|gcos_\w*break_glass\w*|gcos_input_\w+)$/;
      const taking = await asHost(
        estate.url,
        `select p.proname as name from pg_proc p
         where p.pronamespace = 'gcos_trust'::regnamespace and p.provolatile = 'v' and 'timestamptz'::regtype = any (p.proargtypes)
           and (has_function_privilege('gcos_api', p.oid, 'execute') or has_function_privilege('gcos_worker', p.oid, 'execute'))`,
      );
      expect(
        taking
          .map((row) => String(row['name']))
          .filter((name) => !allowed.test(name) && name !== 'gcos_lease_is_held'),
      ).toEqual([]);
    });
  });
}
