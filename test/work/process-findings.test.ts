// Findings about what comes in, each through the same life: raised when it is there, counted once, resolved when it is cured, reopened
// when it is back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandoff, type Handoff } from '../support/intake.js';

let h: Handoff;
const bear = (code: string) =>
  `insert into birth_registry (entity_code, collection_name, species_code, composition_level, dot_origin, governance_role, status)
   select '${code}', collection_name, species_code, composition_level, dot_origin, governance_role, status
   from birth_registry where collection_name = 'orders' and entity_code = 'ORD-000006'`;
const set = (what: string) =>
  `update birth_registry set ${what} where id = (select max(id) from birth_registry)`;
const like = (column: string) =>
  `${column} = (select ${column} from birth_registry where collection_name = 'orders' and entity_code = 'ORD-000006')`;

/** The last birth is PF-2, beside PF-1 with the same content. */
type Act = string | (() => Promise<unknown>);
const last = [{ collection: 'orders', code: 'PF-2' }];
const TROUBLES: readonly { readonly type: string; readonly make: Act; readonly cure: Act }[] = [
  // First: what relapses three times is set aside by itself.
  {
    type: 'input_quarantined',
    make: () => h.estate.gcos.inputs.quarantine(last, { reason: 'to see' }),
    cure: () => h.estate.gcos.inputs.release(last),
  },
  { type: 'input_duplicate', make: set(`entity_code = 'PF-1'`), cure: set(`entity_code = 'PF-2'`) },
  {
    type: 'input_conflict',
    make: set(`entity_code = 'PF-1', species_code = 'other'`),
    cure: set(`entity_code = 'PF-2', ${like('species_code')}`),
  },
  { type: 'input_stale', make: set(`born_at = '1970-01-01'`), cure: set('born_at = now()') },
  { type: 'input_invalid_schema', make: set(`born_at = '2999-01-01'`), cure: set('born_at = now()') },
  { type: 'input_incomplete', make: set('species_code = null'), cure: set(like('species_code')) },
  {
    type: 'input_untrusted_source',
    make: set(`dot_origin = 'NOBODY-KNOWS'`),
    cure: set(like('dot_origin')),
  },
];

beforeAll(async () => {
  h = await createHandoff();
  await h.host(bear('PF-1'));
  await h.host(bear('PF-2'));
  await h.once();
});
afterAll(() => h?.close());

describe('process findings about input', () => {
  it.each(TROUBLES)('$type', async ({ type, make, cure }) => {
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
      if (typeof act === 'string') await h.host(act);
      else await act?.();
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
