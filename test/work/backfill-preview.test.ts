// The preview of a backfill (seed 31 §12): by the command, read-only, with the login of a reader, and equal
// to what the backfill and the scan after it find.
import { afterEach, describe, expect, it } from 'vitest';
import type { PreviewedScope } from '../../src/index.js';
import { runCli } from '../support/cli.js';
import { asHost, urlAs } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

let estate: Estate;
afterEach(() => estate.close());
const host = (text: string) => asHost(estate.url, text);
const run = (...args: string[]) => runCli(args, { env: { DATABASE_URL: estate.url } });

/** Every row of every table, with its version. */
async function everything(): Promise<unknown> {
  const tables = await host(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  expect(tables.length).toBeGreaterThan(70);
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as t, count(*)::int as n, md5(coalesce(string_agg(x.ctid::text || x.xmin::text || x::text, '|' order by x.ctid), '')) as v from ${name} x`,
  );
  return host(`${parts.join(' union all ')} order by t`);
}

type Terms = Readonly<Record<string, number>>;
/** The previewed scopes in the terms of a ledger. */
const termsOf = (scopes: readonly Record<string, number>[]): readonly Terms[] =>
  scopes.map((each) => ({
    covered: each['covered'] ?? -1,
    orphans: each['orphans'] ?? -1,
    exceptions: each['exceptions'] ?? -1,
    retired: each['retired'] ?? -1,
    unverified: (each['needs_input'] ?? -1) + (each['unknown'] ?? -1) + (each['not_evaluated'] ?? -1),
    deferred_birth: each['deferred_birth'] ?? -1,
    class_0: each['class_0'] ?? -1,
    not_relevant: each['not_relevant'] ?? -1,
  }));

describe('gcos preview', () => {
  it('writes nothing, with the login of a reader, and foresees what backfill and scan find', async () => {
    estate = await createEstate('ruled');
    const before = await everything();
    const asReader = { env: { DATABASE_URL: urlAs(estate.url, 'reader') } };
    const seen = await runCli(['preview', '--json'], asReader);
    expect(seen.exit, seen.stderr).toBe(0);
    expect(seen.stderr).toMatch(/^preview: 20,000 births read, \d+ gaps found/m);
    const text = await runCli(['preview'], asReader);
    expect(text.stdout).toContain('nothing was written');
    expect(await everything()).toEqual(before);

    const preview = JSON.parse(seen.stdout);
    expect(preview).toMatchObject({ first: true, in_force: true, cost: { births: '20000' } });
    // A reader sees the ledger of the run before it happens.
    const backfill = JSON.parse((await run('backfill', 'run', '--json')).stdout);
    expect(preview.cost.inventory_groups * 6).toBe(Number(backfill.groups));
    expect(preview.cost.group_rows + preview.cost.object_rows).toBe(Number(backfill.candidate_rows));
    const [objects] = await host(
      `select count(*)::int as n from governance_candidate_object where row_state = 'active'`,
    );
    expect(preview.cost.object_rows).toBe(objects?.['n']);
    const { ledger } = JSON.parse((await run('scan', 'run', '--mode', 'full', '--json')).stdout);
    const expected = termsOf(preview.scopes).map((terms, index) => {
      // The first heartbeat of GCOS, which its own tool in the demo needs, comes with the backfill.
      const late = preview.scopes[index].scope === 'health' ? 1 : 0;
      return { ...terms, covered: (terms['covered'] ?? 0) + late, orphans: (terms['orphans'] ?? 0) - late };
    });
    expect(ledger.scopes).toMatchObject(expected);

    // And after it: the same again, now exactly.
    const after = JSON.parse((await run('preview', '--json')).stdout);
    expect(after).toMatchObject({ first: false, cost: { object_rows: preview.cost.object_rows } });
    expect(ledger.scopes).toMatchObject(termsOf(after.scopes));
  });

  it('lists the largest gaps with their size and what closes them', async () => {
    estate = await createEstate('ruled');
    const { gaps } = await estate.gcos.backfills.preview();
    const births = async (collection: string) => {
      const [row] = await host(
        `select count(*)::int as n from birth_registry where collection_name = '${collection}'`,
      );
      return BigInt(String(row?.['n']));
    };
    expect(gaps.map((gap) => gap.count)).toEqual(
      gaps.map((gap) => gap.count).toSorted((left, right) => Number(right - left)),
    );
    const find = (kind: string, subject: string) =>
      gaps.find((gap) => gap.kind === kind && gap.subject === subject);
    expect(find('registry_missing', 'device')).toMatchObject({
      count: await births('devices'),
      what: 'create the registry `devices` of class `device`, or remove its name from meta_catalog',
    });
    expect(find('no_class', 'field_notes')).toMatchObject({
      count: await births('field_notes'),
      of: 'births',
    });
    expect(find('input', 'partner_feed_items')).toMatchObject({
      count: await births('partner_feed_items'),
      what: expect.stringContaining('FEED-UNVERIFIED'),
    });
    expect(find('no_owner', 'bookings')).toMatchObject({
      count: 1n,
      what: 'name an accountable owner for `bookings` in execution',
    });
    expect(find('no_profile', 'glossary_term')).toMatchObject({ count: 1n });
    expect(find('no_decision', 'partner_catalog')).toMatchObject({ count: 1n });
    expect(find('unborn', 'route_registry')).toMatchObject({ count: 3n, of: 'units' });
    // Closing a gap closes it in the preview.
    await host(
      `insert into meta_catalog (code, entity_type, collection_name, status) values ('CAT-FN', 'field_note', 'field_notes', 'active')`,
    );
    const again = (await estate.gcos.backfills.preview()).gaps.filter(
      (gap) => gap.subject === 'field_notes' || gap.subject === 'field_note',
    );
    expect(again.map((gap) => [gap.kind, gap.count])).toEqual([['no_profile', 1n]]);
  });

  it('says so where no ruleset is in force: nothing would count as verified', async () => {
    estate = await createEstate('installed');
    const preview = await estate.gcos.backfills.preview();
    expect(preview.inForce).toBe(false);
    const total = (of: (scope: PreviewedScope) => number) =>
      preview.scopes.reduce((sum, each) => sum + of(each), 0);
    expect(total((each) => each.relevant)).toBe(
      total((each) => each.covered + each.orphans + each.exceptions + each.notEvaluated),
    );
    expect((await run('preview')).stdout).toMatch(
      /a draft: until a ruleset is in force, nothing counts as verified/,
    );
  });

  it('needs an installation', async () => {
    estate = await createEstate('host');
    expect((await run('preview')).exit).toBe(4);
  });
});
