// Findings about what comes in, each through the same life: raised when it is there, counted once, resolved when it is cured, reopened
// when it is back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandoff, type Handoff } from '../support/intake.js';

let h: Handoff;
const bear = (code: string) =>
  h.host(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
     select '${code}', collection_name, species_code, composition_level, dot_origin, governance_role, status
     from birth_registry where collection_name = 'orders' and entity_code = 'ORD-000006'`,
  );
/** Of the last birth. */
const set = (what: string) =>
  h.host(`update birth_registry set ${what} where id = (select max(id) from birth_registry)`);
const like = (column: string) =>
  `${column} = (select ${column} from birth_registry where collection_name = 'orders' and entity_code = 'ORD-000006')`;

/** The codes of two births with the same content; the last of all is `second`. */
interface Pair {
  readonly first: string;
  readonly second: string;
}
type Act = (codes: Pair) => Promise<unknown>;
const keyOf = (code: string) => [{ collection: 'orders', code }];
const TROUBLES: readonly { readonly type: string; readonly make: Act; readonly cure: Act }[] = [
  {
    type: 'input_quarantined',
    make: ({ second }) => h.estate.gcos.inputs.quarantine(keyOf(second), { reason: 'to see' }),
    cure: ({ second }) => h.estate.gcos.inputs.release(keyOf(second)),
  },
  {
    type: 'input_duplicate',
    make: ({ first }) => set(`entity_code = '${first}'`),
    cure: ({ second }) => set(`entity_code = '${second}'`),
  },
  {
    type: 'input_conflict',
    make: ({ first }) => set(`entity_code = '${first}', species_code = 'other'`),
    cure: ({ second }) => set(`entity_code = '${second}', ${like('species_code')}`),
  },
  {
    type: 'input_stale',
    make: () => set(`born_at = '1970-01-01'`),
    cure: () => set('born_at = now()'),
  },
  {
    type: 'input_invalid_schema',
    make: () => set(`born_at = '2999-01-01'`),
    cure: () => set('born_at = now()'),
  },
  {
    type: 'input_incomplete',
    make: () => set('species_code = null'),
    cure: () => set(like('species_code')),
  },
  {
    type: 'input_untrusted_source',
    make: () => set(`dot_origin = 'NOBODY-KNOWS'`),
    cure: () => set(like('dot_origin')),
  },
];

// One estate for all, and two births for each: what relapses three times is set aside by itself.
beforeAll(async () => {
  h = await createHandoff();
});
afterAll(() => h?.close());

describe('process findings about input', () => {
  it.each(TROUBLES)('$type', async ({ type, make, cure }) => {
    const codes = { first: `${type}-1`, second: `${type}-2` };
    await bear(codes.first);
    await bear(codes.second);
    await h.once();
    const state = async () =>
      (
        await h.host(
          `select status, reopen_count as reopens from system_issues
           where issue_type = '${type}' and entity_code = 'orders' and source_system = 'gcos' and last_seen_at >= '${since}' and coalesce_key not like '%governance_role%'`,
        )
      ).map((row) => `${row['status']} ${row['reopens'] ?? 0}`);
    const [{ since } = { since: '' }] = (await h.host('select clock_timestamp()::text as since')) as {
      since: string;
    }[];
    const step = async (act: Act | null) => {
      await act?.(codes);
      await h.once();
      await h.estate.gcos.scans.run({ mode: 'incremental' });
      return state();
    };
    const first = await step(make);
    expect(first).toHaveLength(1);
    const [status, reopens] = String(first[0]).split(' ');
    expect(status).toBe('open');
    expect(await step(null)).toEqual(first);
    expect(await step(cure)).toEqual([`resolved ${reopens}`]);
    expect(await step(make)).toEqual([`open ${Number(reopens) + 1}`]);
    expect(await step(cure)).toEqual([`resolved ${Number(reopens) + 1}`]);
  });
});
