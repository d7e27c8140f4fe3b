// The lifecycle of findings about input: raised when the problem occurs, counted once, resolved when it ends,
// reopened when it returns.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIntake, type IntakeEstate } from '../support/intake.js';

let h: IntakeEstate;
const insertBirth = (code: string) =>
  h.host(
    `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
     select '${code}', collection_name, species_code, composition_level, dot_origin, governance_role, status
     from birth_registry where collection_name = 'orders' and entity_code = 'ORD-000006'`,
  );
/** Changes the last birth. */
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
const PROBLEMS: readonly { readonly type: string; readonly cause: Act; readonly cure: Act }[] = [
  {
    type: 'input_quarantined',
    cause: ({ second }) => h.estate.gcos.inputs.quarantine(keyOf(second), { reason: 'test' }),
    cure: ({ second }) => h.estate.gcos.inputs.release(keyOf(second)),
  },
  {
    type: 'input_duplicate',
    cause: ({ first }) => set(`entity_code = '${first}'`),
    cure: ({ second }) => set(`entity_code = '${second}'`),
  },
  {
    type: 'input_conflict',
    cause: ({ first }) => set(`entity_code = '${first}', species_code = 'other'`),
    cure: ({ second }) => set(`entity_code = '${second}', ${like('species_code')}`),
  },
  {
    type: 'input_stale',
    cause: () => set(`born_at = '1970-01-01'`),
    cure: () => set('born_at = now()'),
  },
  {
    type: 'input_invalid_schema',
    cause: () => set(`born_at = '2999-01-01'`),
    cure: () => set('born_at = now()'),
  },
  {
    type: 'input_incomplete',
    cause: () => set('species_code = null'),
    cure: () => set(like('species_code')),
  },
  {
    type: 'input_untrusted_source',
    cause: () => set(`dot_origin = 'NOBODY-KNOWS'`),
    cure: () => set(like('dot_origin')),
  },
];

// One estate for all tests, and two births for each: an input that relapses three times is quarantined.
beforeAll(async () => {
  h = await createIntake();
});
afterAll(() => h?.close());

describe('process findings about input', () => {
  it.each(PROBLEMS)('$type is raised, resolved and reopened', async ({ type, cause, cure }) => {
    const codes = { first: `${type}-1`, second: `${type}-2` };
    await insertBirth(codes.first);
    await insertBirth(codes.second);
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
    const first = await step(cause);
    expect(first).toHaveLength(1);
    const [status, reopens] = String(first[0]).split(' ');
    expect(status).toBe('open');
    expect(await step(null)).toEqual(first);
    expect(await step(cure)).toEqual([`resolved ${reopens}`]);
    expect(await step(cause)).toEqual([`open ${Number(reopens) + 1}`]);
    expect(await step(cure)).toEqual([`resolved ${Number(reopens) + 1}`]);
  });
});
