// The database reads the rules itself when it drafts and activates. Its text equals the text of
// encodeContent, byte for byte, whatever the tables hold and whatever shape they have.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statement, type Transaction } from '../../src/db/index.js';
import { hostContract } from '../../src/host/contract.js';
import { COMPONENTS, encodeContent, readContent } from '../../src/host/index.js';
import { canonicalJson, parseExactJson } from '../../src/kernel/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { EDIT_KINDS, type Edit, editRules } from '../support/flips.js';
import { holds } from '../support/property.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const REPEATABLE = { isolation: 'repeatable read' } as const;

const readInDatabase = statement<Record<never, never>, { readonly text: string }>({
  name: 'test.ruleText',
  sql: 'select gcos_ruleset_text(gcos_rule_components()) as text',
});
const spellInDatabase = statement<{ readonly values: readonly string[] }, { readonly text: string }>({
  name: 'test.exactJson',
  sql: 'select gcos_exact_json(v::jsonb, 0) as text from unnest($1::text[]) with ordinality as u(v, n) order by n',
  params: ['values'],
});

const both = async (tx: Transaction) => ({
  database: (await tx.one(readInDatabase, {})).text,
  process: encodeContent(await readContent(tx)).text,
});

describe('the rules that the database reads', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('installed');
  });
  afterAll(() => estate?.close());

  const expectSame = async (change = 'select 1'): Promise<string> =>
    estate.db.rehearse(REPEATABLE, async (tx) => {
      await tx.script(change);
      const { database, process } = await both(tx);
      expect(database, change).toBe(process);
      return database;
    });

  it('are those that the process reads', async () => {
    expect((await expectSame()).length).toBeGreaterThan(10_000);
  });

  it('have the state that the host contract gives each table, column by column', async () => {
    const sources: readonly string[] = Object.values(COMPONENTS).map(({ source }) => source);
    const contracts = hostContract.filter(({ name }) => sources.includes(name));
    expect(contracts).toHaveLength(6);
    for (const { name, columns } of contracts) {
      expect(await expectSame(`drop table ${name} cascade`)).toContain('"state":"absent"');
      for (const column of columns) {
        expect(await expectSame(`alter table ${name} rename ${column.name} to other`)).toContain(
          'unreadable',
        );
        await expectSame(
          `alter table ${name} drop column ${column.name} cascade; alter table ${name} add ${column.name} point`,
        );
      }
    }
  });

  it('are the same for odd rows: ambiguous keys, nulls, enumerations, domains, json, times, quotes', async () => {
    for (const change of [
      `alter table measurement_registry drop constraint measurement_registry_pkey cascade;
       insert into measurement_registry select * from measurement_registry where measurement_id = 'MSR-001';
       update measurement_registry set source_query = e'select ''"\\\\ \\u2028 \\x7f\\x01 🙂''' where measurement_id = 'MSR-002'`,
      "update coverage_profile set ttl = interval '1 year 2 months 3 days 04:05:06.789012', class_pattern = 'ü%_\\' || profile_code",
      'alter table coverage_profile drop column required_links cascade; alter table coverage_profile add required_links json; update coverage_profile set required_links = \'{"b": 1e2, "a": {"$x": 1.50}, "b": null}\'',
      'create domain odd as text; alter table axis_registry alter axis_family type odd; update axis_registry set object_class = null',
      "update governance_responsibility_scope set status = 'retired'; delete from law_jurisdiction",
      'alter table pivot_definitions drop source_collection, drop status, drop object_class',
      "update pivot_definitions set source_collection = 'orders', object_class = null",
      `update governance_setting set setting_value = '{"prefixes": ["finding."], "keys": ["scan.pace"]}' where setting_key = 'ruleset.settings'`,
    ])
      await expectSame(change);
  });

  it('refuse a setting of another form, as the process does', async () => {
    for (const value of ['[]', '{"prefixes": "x"}', '{"keys": [""]}', '{"other": []}', '{"keys": [1]}'])
      await estate.db.rehearse(REPEATABLE, async (tx) => {
        await tx.script(
          `update governance_setting set setting_value = '${value}' where setting_key = 'ruleset.settings'`,
        );
        await expect(
          tx.savepoint(() => readContent(tx)),
          value,
        ).rejects.toMatchObject({ code: 'setting_invalid' });
        await expect(
          tx.savepoint(() => tx.one(readInDatabase, {})),
          value,
        ).rejects.toThrow();
      });
  });

  /** Texts of numbers in any spelling, and texts with characters from both ends of the planes. */
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fc.nat(60),
      fc.integer({ min: -90, max: 90 }),
    )
    .map(
      ([sign, whole, fraction, power]) =>
        `${sign}${whole}${fraction % 3 === 0 ? '' : `.${fraction}0`}${fraction % 2 === 0 ? '' : `e${power}`}`,
    );
  const text = fc.string({
    unit: fc.constantFrom(
      '$',
      'a',
      '"',
      '\\',
      '\n',
      '\u001f',
      '\u007f',
      'é',
      '\u2028',
      '\ue000',
      '\uffff',
      '🙂',
      '𝔸',
    ),
  });
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      number,
      fc.constantFrom(
        'null',
        'true',
        'false',
        '0',
        '-0',
        '9007199254740991',
        '9007199254740992',
        '1e-70',
        '1.0',
      ),
      text.map((each) => JSON.stringify(each)),
      fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
      fc
        .array(fc.tuple(text, tie('json')), { maxLength: 5 })
        .map((items) => `{${items.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(', ')}}`),
    ),
  }));
  holds<readonly string[]>('the database spells JSON as the process does', {
    cases: fc.array(json, { minLength: 20, maxLength: 40 }),
    check: async (values) => {
      const rows = await estate.db.transaction(READ_ONLY, (tx) => tx.run(spellInDatabase, { values }));
      expect(rows.map((row) => row.text)).toEqual(values.map((each) => canonicalJson(parseExactJson(each))));
      return rows.length;
    },
    seeds: [19],
    runs: 40,
  });

  holds<readonly Edit[]>('the database reads what the process reads after random changes', {
    cases: fc.array(fc.tuple(fc.constantFrom(...EDIT_KINDS), fc.nat(10_000)), { minLength: 1, maxLength: 6 }),
    check: async (edits) => {
      await editRules(estate.url, edits);
      const draft = await estate.gcos.rulesets.draft();
      const [row] = await asHost(
        estate.url,
        `select components, convert_from(canonical_bytes, 'UTF8') as text from governance_ruleset where ruleset_version = '${draft.version}'`,
      );
      expect(row?.['text']).toBe(encodeContent(draft.content).text);
      expect(row?.['components']).toEqual(draft.provenance);
    },
    seeds: [2_026],
    runs: 5,
  });
});
