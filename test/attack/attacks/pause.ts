// Pausing all workers: only a person can, with a reason; it is audited, and the gate stops allowing high
// risk.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.js';
import { asHost, urlAs } from '../../support/database.js';
import type { CreateEstate, Estate } from '../../support/estate.js';
import { createPeople, type People } from '../../support/people.js';

export function pauseAttacks(create: CreateEstate): void {
  let estate: Estate;
  let people: People;
  beforeEach(async () => {
    estate = await create('reconciled');
    people = createPeople(estate.url);
  });
  afterEach(async () => {
    await people.close();
    await estate.close();
  });

  const state = async () =>
    (
      await asHost(
        estate.url,
        `select setting_value from governance_setting where setting_key = 'worker.paused'`,
      )
    )[0]?.['setting_value'];
  const DENIED = { code: '42501' };

  describe('a pause', () => {
    it('is refused to workers, and to members without a person or without a reason', async () => {
      const before = await state();
      const stranger = await people.login('stranger');
      const member = await people.person('mia', 'member');
      for (const url of [
        urlAs(estate.url, 'worker'),
        urlAs(estate.url, 'reader'),
        urlAs(estate.url, 'pruner'),
        stranger.url,
      ])
        for (const paused of [true, false])
          await expect(asHost(url, `select gcos_set_paused(${paused}, 'why')`)).rejects.toMatchObject(DENIED);
      for (const reason of ['null', `''`, `'  '`])
        await expect(asHost(member.url, `select gcos_set_paused(true, ${reason})`)).rejects.toMatchObject({
          code: '22023',
        });
      await expect(asHost(member.url, `select gcos_set_paused(null, 'why')`)).rejects.toMatchObject({
        code: '22023',
      });
      await expect(member.gcos.workers.pause(' ')).rejects.toMatchObject({
        code: 'pause_reason_missing',
        exit: 3,
      });
      await expect(stranger.gcos.workers.pause('why')).rejects.toMatchObject({ code: 'actor_unknown' });
      await expect(
        asHost(
          member.url,
          `update governance_setting set setting_value = '{"paused": false}' where setting_key = 'worker.paused'`,
        ),
      ).rejects.toMatchObject(DENIED);
      expect(await state()).toEqual(before);
    });

    it('keeps who paused and who resumed, when and why, and is audited', async () => {
      const mia = await people.person('mia', 'member');
      const noa = await people.person('noa', 'member');
      await mia.gcos.workers.pause('moving the database');
      // A second pause does not hide the first.
      expect(await noa.gcos.workers.pause('me too')).toMatchObject({
        paused: true,
        pause: { by: 'mia' },
        resume: null,
      });
      expect(await noa.gcos.workers.resume('moved')).toMatchObject({
        paused: false,
        pause: { by: 'mia', login: mia.login, reason: 'moving the database', at: expect.any(String) },
        resume: { by: 'noa', login: noa.login, reason: 'moved', at: expect.any(String) },
      });
      const audit = await asHost(
        estate.url,
        `select action, changed_by, alert_detail::jsonb -> 'pause' ->> 'reason' as pause, alert_detail::jsonb -> 'resume' ->> 'reason' as resume
         from registry_changelog where entity_type = 'governance_worker' order by id`,
      );
      expect(audit).toEqual([
        {
          action: 'pause',
          changed_by: `gcos:${mia.login} for mia`,
          pause: 'moving the database',
          resume: null,
        },
        {
          action: 'resume',
          changed_by: `gcos:${noa.login} for noa`,
          pause: 'moving the database',
          resume: 'moved',
        },
      ]);
    });

    it('blocks high risk from its first moment, names the person, and not low risk', async () => {
      const mia = await people.person('mia', 'member');
      const [high] = await asHost(
        estate.url,
        `select o.collection_name, o.entity_code from governance_candidate_object o
         where o.row_state = 'active' and o.risk_class = 'write_high' and not o.dirty order by o.row_id limit 1`,
      );
      const [low] = await asHost(
        estate.url,
        `select o.collection_name, o.entity_code from governance_candidate_object o
         where o.row_state = 'active' and o.risk_class in ('read', 'descriptive') and not o.dirty order by o.row_id limit 1`,
      );
      const codes = async (row: Record<string, unknown> | undefined, action: 'execute' | 'read') => {
        const check = await estate.gcos.gates.check([
          {
            collection: String(row?.['collection_name']),
            code: String(row?.['entity_code']),
            stage: 'prod',
            action,
          },
        ]);
        return check.decisions.flatMap((decision) =>
          decision.reasons.map((reason) => `${reason.code}: ${reason.sentence}`),
        );
      };
      const paused = (of: readonly string[]) => of.filter((each) => each.startsWith('paused: '));
      expect(paused(await codes(high, 'execute'))).toEqual([]);
      await mia.gcos.workers.pause('moving the database');
      expect(paused(await codes(high, 'execute'))).toEqual([
        expect.stringMatching(
          /^paused: all workers are paused by mia since .+ \(moving the database\): changes are missed$/,
        ),
      ]);
      if (low !== undefined) expect(paused(await codes(low, 'read'))).toEqual([]);

      const env = { DATABASE_URL: estate.url };
      // Even where every verdict is valid.
      for (const table of ['governance_candidate_state', 'governance_candidate_object'])
        await asHost(
          estate.url,
          `update ${table} set dirty = false, dirty_reason = null, dirtied_at = null where dirty`,
        );
      const status = (await runCli(['status'], { env })).stdout;
      const who = 'all workers are paused by mia since .+ \\(moving the database\\)';
      expect(status).toMatch(
        /^all workers are paused; the gate blocks high risk\n {2}paused by mia, .+: moving the database\n`gcos resume`/m,
      );
      expect(status).toMatch(
        new RegExp(`^2\\. .* {2}unknown\\n {3}${who}: changes are missed until \`gcos resume\`$`, 'm'),
      );
      expect(status).toMatch(
        new RegExp(`^3\\. .* {2}no\\n {3}the gate blocks high risk, because ${who}`, 'm'),
      );
      const told = JSON.parse((await runCli(['status', '--json'], { env })).stdout);
      expect(told).toMatchObject({
        workers: {
          paused: true,
          pause: { by: 'mia', login: mia.login, reason: 'moving the database', at: expect.any(String) },
        },
        current: { answer: 'unknown', why: expect.stringMatching(who) },
        production: {
          answer: 'no',
          why: expect.stringMatching(`^the gate blocks high risk, because ${who}`),
        },
      });
      await mia.gcos.workers.resume();
      expect((await estate.gcos.status()).current).toMatchObject({ answer: 'yes' });
      expect(paused(await codes(high, 'execute'))).toEqual([]);
    });
  });
}
