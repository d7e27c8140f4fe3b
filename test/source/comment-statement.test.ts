// The statements that give objects their links: each executes as it is printed, on the object it is for, and
// keeps the text that is there. The names are as hostile as PostgreSQL allows.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { quoteIdentifier, quoteLiteral } from '../../src/db/index.js';
import { commentStatement, visibleStatement } from '../../src/source/postgres/index.js';
import { asHost } from '../support/database.js';
import { createShop, objectOf, readSource, type Shop } from '../support/shop.js';

const NAMES = [
  'select',
  'Mixed Case',
  'a"b""c',
  "it's",
  'back\\slash \\u0041 U&"x"',
  'two\nlines\r\n\ttab',
  '\u001b[31mred\u001b[0m',
  '\u202egnp.exe\u2066',
  'שלום עולם العربية',
  `${'🦉'.repeat(15)}abc`,
  `${'é'.repeat(31)}x`,
  '; drop table orders; --',
  '/* $1 %s {{part}} $$',
  '\u{e0041}\u00ad\u200b',
];

/** One object of each kind under the name; `at` keeps apart what shares a namespace. */
function objectsNamed(name: string, at: number): string {
  const id = quoteIdentifier(name);
  return `create schema ${id};
    create table ${id}.${id} (${id} integer primary key, "other ${at}" text) partition by range (${id});
    create table ${id}."part ${at}" partition of ${id}.${id} default;
    create foreign table ${id}."foreign ${at}" (${id} integer) server elsewhere;
    create view ${id}."view ${at}" as select 1 as ${id};
    create materialized view ${id}."stored ${at}" as select 1 as ${id};
    create type ${id}."enum ${at}" as enum (${quoteLiteral(name)});
    create domain ${id}."domain ${at}" as integer;
    create function ${id}.${id}(integer) returns integer language sql as 'select 1';
    create function ${id}.${id}(${id}."enum ${at}", variadic ${id}.${id}[]) returns integer language sql as 'select 1';
    create procedure ${id}.${id}(text) language sql as 'select 1';
    create aggregate ${id}."sum ${at}"(integer) (sfunc = int4pl, stype = integer);
    create aggregate ${id}."sum ${at}"(*) (sfunc = int8inc, stype = bigint, initcond = '0');
    create aggregate ${id}."sum ${at}"(float8 order by anyelement) (sfunc = ordered_set_transition, stype = internal,
      finalfunc = percentile_disc_final, finalfunc_extra);
    create policy ${id} on ${id}.${id};
    create trigger ${id} before update on ${id}.${id} for each row execute function suppress_redundant_updates_trigger();
    create publication ${id} for table ${id}.${id};
    comment on table ${id}.${id} is ${quoteLiteral(`@owner old\n@omit\nIt's ${name} "quoted" \\n E'x'`)};
    comment on column ${id}.${id}.${id} is ${quoteLiteral(name)};`;
}

let shop: Shop;
let role: string;
beforeAll(async () => {
  role = `${randomBytes(6).toString('hex')} "hostile" \u202e`;
  shop = await createShop(
    `create foreign data wrapper nothing; create server elsewhere foreign data wrapper nothing;
     ${NAMES.map(objectsNamed).join('\n')}
     create role ${quoteIdentifier(role)};
     create subscription ${quoteIdentifier('sub\n"x"')} connection 'host=nowhere' publication p with (connect = false, slot_name = none);
     comment on subscription ${quoteIdentifier('sub\n"x"')} is 'Text'`,
    { schema: 'create extension hstore' },
  );
});
afterAll(async () => {
  await asHost(
    shop.url,
    `drop subscription ${quoteIdentifier('sub\n"x"')}; drop role ${quoteIdentifier(role)}`,
  );
  await shop.close();
});

/** Without the roles of other tests on this server. */
const readOwn = async () =>
  (await readSource(shop.readerUrl)).filter(
    (each) => each.class !== 'role' || each.attributes['name'] === role || each.code === shop.reader,
  );

it('each statement executes as it is, and the link is read back beside the text', async () => {
  const before = await readOwn();
  expect(new Set(before.map((each) => each.class)).size).toBe(15);
  expect(before.length).toBeGreaterThan(NAMES.length * 20);
  const statements = before.map((each) => commentStatement(each, 'owner', 'team-new'));
  // One line each, without anything that a screen hides or obeys.
  expect(statements.filter((each) => /[\p{Cc}\p{Cf}\u00ad\u200b]/u.test(each))).toEqual([]);
  for (const options of ['', '?options=-c%20standard_conforming_strings%3Doff']) {
    await asHost(`${shop.url}${options}`, statements.join('\n'));
    const after = await readOwn();
    expect(after.map((each) => [each.identity, each.links])).toEqual(
      before.map((each) => [each.identity, { ...each.links, owner: 'team-new' }]),
    );
    const textOf = (comment: unknown) => String(comment ?? '').replace(/^@owner .*(\n|$)/, '');
    expect(after.map((each) => textOf(each.attributes['comment']))).toEqual(
      before.map((each) => textOf(each.attributes['comment'])),
    );
  }
});

it('comments on the function that is meant, and on no overload of it', async () => {
  const code = '"it\'s"."it\'s"(integer)';
  const found = objectOf(await readOwn(), 'function', code);
  await asHost(shop.url, commentStatement(found, 'approval', 'https://example.org/1'));
  const approved = (await readOwn()).filter((each) => each.links['approval'] !== undefined);
  expect(approved.map((each) => each.code)).toEqual([code]);
});

it('a class without comments is refused', () => {
  expect(() => commentStatement({ class: 'asset', code: 'a', attributes: {} }, 'owner', 'a')).toThrow(
    expect.objectContaining({ code: 'value_invalid' }),
  );
});

it('what a screen hides becomes an escape, and nothing else changes', () => {
  expect(visibleStatement(`COMMENT ON TABLE "a\nb" IS 'x';`)).toBe(`COMMENT ON TABLE U&"a\\000Ab" IS 'x';`);
  expect(visibleStatement(`select E'a\\\\\n\u202e', 'é 🦉'`)).toBe(`select E'a\\\\\\n\\u202E', 'é 🦉'`);
});
