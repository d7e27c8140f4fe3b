// The plans of look-ups that must not read the whole table of object verdicts, which may have a million rows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillParts, type Statement } from '../../src/db/index.js';
import { readInputs } from '../../src/verdict/candidate/group/evaluate.sql.js';
import { readGroups, readObjects } from '../../src/verdict/candidate/read/read.sql.js';
import { evaluateUnits } from '../../src/verdict/coverage/evaluate.sql.js';
import { readDue } from '../../src/work/scan/backlog.sql.js';
import { readNamed } from '../../src/work/scan/evaluate.sql.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { withLiterals } from '../support/sql.js';

let estate: Estate;
let someKeys: string;
beforeAll(async () => {
  estate = await createEstate('scanned');
  await asHost(estate.url, 'analyze');
  const keys = await asHost(
    estate.url,
    'select inventory_key as key from governance_inventory order by 1 limit 5',
  );
  someKeys = `array[${keys.map((row) => `'${row['key']}'`).join(', ')}]`;
});
afterAll(() => estate?.close());

async function planOf<P>(
  statement: Statement<P>,
  literals: Partial<Record<keyof P & string, string>>,
  settings = '',
): Promise<string> {
  const rows = await asHost(
    estate.url,
    `set search_path = gcos_trust, public; ${settings} explain ${withLiterals(statement, literals)}`,
  );
  return rows.map((row) => String(row['QUERY PLAN'])).join('\n');
}

describe('plans of look-ups', () => {
  it('the rows of one object, live or past, are found by its key, and so is whether they are valid', async () => {
    const key = { collections: "array['dot_tools']", codes: "array['DOT-117']", at: 'now()' };
    for (const past of ['false', 'true']) {
      const plan = await planOf(readObjects, { ...key, past });
      expect(plan).not.toMatch(/Seq Scan on governance_candidate_(object|state)/);
      expect(plan).toMatch(/Index (Only )?Scan (using|on) governance_candidate_object/);
    }
  });

  it('the live rows of one group are found by its key', async () => {
    const plan = await planOf(readGroups, { inventoryKeys: someKeys, at: 'now()', past: 'false' });
    expect(plan).not.toMatch(/Seq Scan on governance_candidate_(object|state)/);
  });

  it('the inputs that objects share with their groups are read without looking for objects', async () => {
    const groups = { scopes: "array['audit']", inventoryKeys: someKeys };
    expect(await planOf(readInputs, { ...groups, findsGone: 'false' })).not.toMatch(/candidate_object/);
    expect(await planOf(readInputs, { ...groups, findsGone: 'true' })).toMatch(/candidate_object/);
  });

  it('the coverage of a few groups is written by key, although nested loops are off', async () => {
    const none = (columns: number) => `select ${Array(columns).fill('null::text').join(', ')} where false`;
    const ownership = `select null::text, null::text, null::text, null::text, null::bool, null::timestamptz, null::timestamptz,
      null::text, null::text, null::text, null::text, null::text, null::bigint, null::bigint where false`;
    const evidence = 'select null::text as link, null::text as ref where false';
    const statement = fillParts(evaluateUnits, { ownership, members: none(4), tools: none(2), evidence });
    const rules = {
      ...{ classes: "array['dot_tool']", scopes: "array['audit']", links: "array['owner']" },
      ...{ canaryClasses: "'{}'", canaryReferences: "'{}'", selfAuthorised: "'{}'", executed: "'{}'" },
      ...{ ownershipAvailable: 'true', evaluable: "'{}'", at: 'now()', runId: "'x'", audit: 'false' },
    };
    const plan = await planOf(statement, { ...rules, inventoryKeys: someKeys }, 'set enable_nestloop = off;');
    expect(plan).not.toMatch(/Seq Scan on governance_candidate_object/);
  });

  it('the objects that ownership names are looked up by key', async () => {
    const plan = await planOf(readNamed, {
      collections: "array['dot_tools']",
      codes: "array['DOT-117']",
      inventoryKeys: someKeys,
    });
    expect(plan).not.toMatch(/Seq Scan on (governance_candidate_object|birth_registry)/);
  });

  it('the backlog is read by the indexes on what is dirty and on what has expired', async () => {
    const due = { at: 'now()', restMs: '0', expired: 'true', risk: "'{}'", limit: '500' };
    expect(await planOf(readDue, due)).not.toMatch(/Seq Scan on governance_candidate_object/);
  });
});
