// Pruning: the pruner removes only what is older than the minimum age, oldest first, and leaves a record of
// it.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetClock, setClock } from '../../support/clock.js';
import { asHost, urlAs } from '../../support/database.js';
import type { CreateEstate, Estate } from '../../support/estate.js';
import { sealAll } from '../../support/log.js';
import { createPeople, type People } from '../../support/people.js';

export function pruneAttacks(create: CreateEstate): void {
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

  const sql = (text: string) => asHost(estate.url, text);
  const pruner = (text: string) => asHost(urlAs(estate.url, 'pruner'), text);
  const DENIED = { code: '42501' };

  describe('the pruner', () => {
    it('deletes, changes and hides no decision by hand', async () => {
      for (const text of [
        'delete from governance_gate_answer',
        `update governance_gate_answer set answer = 'allow'`,
        'truncate governance_gate_answer',
        'delete from evolution_snapshots',
        'delete from governance_pruned_range',
        `insert into governance_pruned_range (kind) values ('gate')`,
        `update governance_setting set setting_value = '{"gate_days": 0}' where setting_key = 'prune.minimum_age'`,
        'delete from candidate_scan_run',
        'delete from governance_verdict_history',
      ])
        await expect(pruner(text), text).rejects.toMatchObject(DENIED);
      for (const role of ['worker', 'api', 'reader'])
        for (const text of [`select gcos_prune_gate('2020-01-01')`, 'select gcos_prune_snapshots(0)'])
          await expect(asHost(urlAs(estate.url, role), text)).rejects.toMatchObject(DENIED);
    });

    it('prunes decisions only past the minimum age: not up to now, the future or nothing', async () => {
      const ask = () =>
        estate.gcos.gates.check([
          { collection: 'dot_tools', code: 'DOT-117', stage: 'prod', action: 'execute' },
        ]);
      const answers = async () =>
        (await sql('select count(*)::int as n from governance_gate_answer'))[0]?.['n'];
      await ask();
      await sql(`update governance_gate_answer set decided_at = decided_at - interval '91 days'`);
      await sealAll(estate.url);
      await ask();
      const before = Number(await answers());
      for (const bound of [
        'now()',
        `'infinity'`,
        'null',
        `now() + interval '1 day'`,
        `now() - interval '89 days'`,
      ])
        await expect(pruner(`select gcos_prune_gate(${bound})`), bound).rejects.toMatchObject({
          code: 'UG004',
        });
      expect(await answers()).toBe(before);
      const { gcos } = await people.login('pruner', 'gcos_pruner');
      const [today] = await sql('select now()::text as at');
      await expect(gcos.gates.prune({ before: String(today?.['at']) })).rejects.toMatchObject({
        code: 'gate_prune_too_young',
        exit: 3,
      });
      const [kept] = await sql(
        `select to_jsonb(a)::text as row from governance_gate_answer a order by check_id, first_item limit 1`,
      );
      const [bound] = await sql(`select (now() - interval '90 days 1 hour')::text as at`);
      expect(await gcos.gates.prune({ before: String(bound?.['at']) })).toMatchObject({
        decisions: 1n,
        checks: 1n,
      });
      expect(await answers()).toBe(before - 1);
      // The record names the range, and the digest is that of the deleted row.
      const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
      const row = String(kept?.['row']);
      expect(await sql('select kind, row_count::int as rows, digest from governance_pruned_range')).toEqual([
        { kind: 'gate', rows: 1, digest: hash(hash(row)).toString('hex') },
      ]);
      expect(
        await sql(
          `select alert_detail::jsonb ->> 'decisions' as decisions from registry_changelog where entity_type = 'governance_gate' and action = 'prune'`,
        ),
      ).toEqual([{ decisions: '1' }]);
      await expect(sql('delete from governance_pruned_range')).rejects.toMatchObject({ code: '23001' });
    });

    it('leaves no gap: what follows a younger decision stays', async () => {
      // The clock was set back: the last check is dated before the one in the middle. Each is sealed on its
      // own.
      for (const days of [100, 0, 100]) {
        const { id } = await estate.gcos.gates.check([
          { collection: 'dot_tools', code: 'DOT-117', stage: 'prod', action: 'execute' },
        ]);
        await sql(
          `update governance_gate_answer set decided_at = decided_at - interval '${days} days' where check_id = ${id}`,
        );
        await sealAll(estate.url);
      }
      const ids = (
        await sql('select check_id::text as id from governance_gate_answer order by check_id')
      ).map((row) => row['id']);
      await pruner(`select gcos_prune_gate(now() - interval '95 days')`);
      expect(
        (await sql('select check_id::text as id from governance_gate_answer order by check_id')).map(
          (row) => row['id'],
        ),
      ).toEqual(ids.slice(1));
    });

    it('prunes snapshots only past the minimum age, whatever number it says to keep', async () => {
      for (let n = 0; n < 3; n += 1) await estate.gcos.snapshots.capture({ kind: 'scan' });
      const count = async () =>
        Number(
          (
            await sql(`select count(*)::int as n from evolution_snapshots where scope like 'governance.%'`)
          )[0]?.['n'],
        );
      const before = await count();
      expect(await pruner('select * from gcos_prune_snapshots(0)')).toEqual([]);
      expect(await count()).toBe(before);
      await setClock(estate.url, { ahead: '8 days' });
      const gone = await pruner('select * from gcos_prune_snapshots(0)');
      await resetClock(estate.url);
      expect(gone.length).toBeGreaterThan(0);
      expect(await count()).toBe(before - gone.length);
      expect(await sql(`select kind, row_count::int as rows from governance_pruned_range`)).toEqual([
        { kind: 'snapshot', rows: gone.length },
      ]);
      await expect(pruner('select * from gcos_prune_snapshots(-1)')).rejects.toMatchObject({ code: '22023' });
    });
  });
}
