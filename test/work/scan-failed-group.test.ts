// A group that cannot be evaluated is marked, blocked at the gate and retried; it stops no other group. A
// fault of the whole server is no fault of a group or a birth.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bear, estate, host, intake, marks, number, scan, useReconciled } from '../support/reconciled.js';

useReconciled();

/** Raises an error for every coverage outcome that is written for a group of `registry`. */
const breakGroup = (registry: string, errcode = 'data_exception') =>
  host(`create function break_group() returns trigger language plpgsql as $$
    begin
      if exists (select from governance_inventory i where i.inventory_key = new.inventory_key and i.source_registry = '${registry}') then
        raise exception 'this group is broken' using errcode = '${errcode}';
      end if;
      return new;
    end $$;
    create trigger break_group before update of scan_time on governance_candidate_state for each row execute function break_group();
    create trigger break_group before update of scan_time on governance_candidate_object for each row execute function break_group()`);
const mend = () => host('drop function break_group() cascade');
/** An authority changes: groups of both registries are due. */
const touch = (...registries: readonly string[]) =>
  host(`update governance_candidate_state c set dirty = true, dirty_reason = 'authority', dirtied_at = now() - interval '1 minute'
    from governance_inventory i where i.inventory_key = c.inventory_key and i.source_registry in ('${registries.join("', '")}')
      and c.row_state = 'active'`);
const failed = (registry: string) =>
  number(`select count(*)::int as n from governance_candidate_state c join governance_inventory i using (inventory_key)
    where c.recompute_status = 'failed' and i.source_registry = '${registry}'`);
const gate = async (collection: string) => {
  const [row] = await host(
    `select entity_code as code from birth_registry where collection_name = '${collection}' and status = 'born' order by id limit 1`,
  );
  return await estate.gcos.gates.check([
    { collection, code: String(row?.['code']), stage: 'prod', action: 'execute' },
  ]);
};
/** The next attempt of everything that failed is due now. */
const due = () =>
  host(`update gov_worker_retry set next_attempt_at = now() - interval '1 second'
    where worker = 'scan' and completed_at is null and dead_lettered_at is null`);

describe('a group that cannot be evaluated', () => {
  it('is failed and blocked, stops no other group, is retried, becomes a dead letter, and recovers', async () => {
    await host(
      `update governance_setting set setting_value = setting_value || '{"attempts": 2}' where setting_key = 'worker.retry'`,
    );
    await breakGroup('orders');
    await touch('orders', 'pages', 'comments');
    const first = await scan('incremental');
    expect(first.failed).toBeGreaterThan(0);
    expect(first.lookedAt).toBeGreaterThan(0);
    expect(new Set((await marks()).map((each) => each.registry))).toEqual(new Set(['orders']));
    expect(await failed('orders')).toBeGreaterThan(0);
    const answer = await gate('orders');
    expect(inspect(answer, { depth: null })).toContain('recompute_failed');
    expect(answer.answer).toBe('block');
    // It waits for its retry: a scan meanwhile does not take it up.
    await touch('pages');
    expect(await scan('incremental')).toMatchObject({ failed: 0 });
    await due();
    expect((await scan('event')).failed).toBe(first.failed);
    const letters = (await estate.gcos.deadLetters.list()).letters.filter(
      (each) => each.table === 'governance_inventory',
    );
    expect(letters).toHaveLength(first.failed);
    expect(letters[0]?.lastError).toContain('this group is broken');
    // Repaired: the dead letters are retried, and the group is valid again.
    await mend();
    await estate.gcos.deadLetters.retry({});
    expect(await scan('event')).toMatchObject({ failed: 0 });
    expect(await failed('orders')).toBe(0);
    expect(await marks()).toEqual([]);
  });

  it('does not keep the ledger of all other groups open', async () => {
    await host(`create function break_cover() returns trigger language plpgsql as $$
      begin
        if exists (select from governance_inventory i where i.inventory_key = new.inventory_key and i.source_registry = 'orders') then
          raise exception 'this group is broken';
        end if;
        return new;
      end $$;
      create trigger break_cover before update on governance_candidate_state for each row
        when (new.coverage_scan_ref is distinct from old.coverage_scan_ref and new.coverage_scan_ref is not null) execute function break_cover()`);
    await host(
      `delete from governance_object_ownership where object_type = 'collection' and object_ref in ('orders', 'pages')`,
    );
    const report = await scan('full');
    expect(report.failed).toBeGreaterThan(0);
    expect(report.ledger?.closes).toBe(true);
    expect(await failed('orders')).toBeGreaterThan(0);
    expect(await failed('pages')).toBe(0);
  });

  it('if every group fails, the cause is not in the groups: the scan fails, and marks none', async () => {
    await host(`create function break_group() returns trigger language plpgsql as $$ begin raise exception 'all are broken'; end $$;
      create trigger break_group before update of scan_time on governance_candidate_state for each row execute function break_group()`);
    await host(
      `update governance_candidate_state set dirty = true, dirty_reason = 'authority', dirtied_at = now() - interval '1 minute' where row_state = 'active'`,
    );
    await expect(scan('incremental')).rejects.toThrow('all are broken');
    expect(
      await number(
        `select count(*)::int as n from governance_candidate_state where recompute_status = 'failed'`,
      ),
    ).toBe(0);
  });
});

it('a birth that a scan could not revise is retried by a later scan', async () => {
  const [tool] = await host(
    `select entity_code as code, id::text as id from birth_registry where collection_name = 'dot_tools' order by id limit 1`,
  );
  await host(`create function break_tool() returns trigger language plpgsql as $$
    begin
      if new.entity_code = '${tool?.['code']}' then raise exception 'this object is broken'; end if;
      return new;
    end $$;
    create trigger break_tool before update of scan_time on governance_candidate_object for each row execute function break_tool()`);
  await host(`update governance_candidate_object set dirty = true, dirty_reason = 'authority', dirtied_at = now() - interval '1 minute'
    where entity_code = '${tool?.['code']}' and row_state = 'active'`);
  await scan('incremental');
  const waiting = () =>
    number(
      `select count(*)::int as n from gov_worker_retry where worker = 'scan' and failed_ref = '${tool?.['id']}' and completed_at is null`,
    );
  expect(await waiting()).toBe(1);
  await host('drop function break_tool() cascade');
  await due();
  await scan('event');
  expect(await waiting()).toBe(0);
  await scan('incremental');
  expect(await marks()).toEqual([]);
});

describe.each(['53100', '53200'])('when the server is out of space or memory (%s)', (errcode) => {
  it('a scan and an intake round fail as a whole, and no group and no birth is blamed', async () => {
    await breakGroup('orders', errcode);
    await touch('orders', 'pages');
    await expect(scan('incremental')).rejects.toMatchObject({ code: 'database_exhausted' });
    expect(await failed('orders')).toBe(0);
    await mend();
    await host(`create function break_births() returns trigger language plpgsql as $$
      begin raise exception 'no space' using errcode = '${errcode}'; end $$;
      create trigger break_births before insert on governance_candidate_object for each row execute function break_births()`);
    await bear('dot_tools', 'FULL', 3);
    await expect(intake()).rejects.toMatchObject({ code: 'database_exhausted' });
    expect(await number('select count(*)::int as n from gov_worker_retry')).toBe(0);
    await host('drop function break_births() cascade');
    expect(await intake()).toMatchObject({ births: 3, setAside: 0 });
  });
});
