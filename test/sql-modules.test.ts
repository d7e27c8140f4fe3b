// How `scripts/sql.mjs` turns a `.sql` file into a module.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moduleOf, readSql } from '../scripts/sql.mjs';
import { fillParts, type Template } from '../src/db/index.js';

let folder: string;
beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'gcos-sql-')), 'shop');
  mkdirSync(folder);
});
afterAll(() => rmSync(join(folder, '..'), { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const only = (text: string) => readSql(write('page.sql', text)).statements[0];

describe('a file of statements', () => {
  it('numbers each named parameter once, and names the statement after its folder', () => {
    expect(
      only(`-- name: readOrders
-- The orders of a customer.
-- nullable: note, :after
select o.id, o.note from orders o
where o.customer_id = :customer_id::bigint and (:after::bigint is null or o.id > :after::bigint) and o.seller <> :customer_id;
`),
    ).toMatchObject({
      name: 'shop.readOrders',
      exportName: 'readOrders',
      text: `/* gcos:shop.readOrders */ select o.id, o.note from orders o
where o.customer_id = $1::bigint and ($2::bigint is null or o.id > $2::bigint) and o.seller <> $1`,
      params: ['customerId', 'after'],
      nullable: ['note'],
      nullableParams: ['after'],
    });
  });

  it('finds no parameter in strings, names, comments, dollar quotes, casts and slices', () => {
    const text = `select ':a', E'\\':b', ":c", $x$ :d $x$, array[1, 2][1:2], now()::text -- :e
/* :f */ from orders where id = :g`;
    expect(only(`-- name: odd\n${text}`)).toMatchObject({
      params: ['g'],
      text: `/* gcos:shop.odd */ ${text.replace(':g', '$1')}`,
    });
  });

  it('includes fragments, also from other files and from other fragments', () => {
    write(
      'price.sql',
      '-- fragment: net\no.price - {{discount}}\n\n-- fragment: discount\n-- Per order.\no.discount * :rate',
    );
    expect(
      only(
        '-- use: ./price.sql\n\n-- name: readNet\nselect {{net}} as net from orders o where o.rate = :rate',
      )?.text,
    ).toBe('/* gcos:shop.readNet */ select o.price - o.discount * $1 as net from orders o where o.rate = $1');
  });

  it('leaves parts for the caller to fill', () => {
    const path = write(
      'parts.sql',
      '-- name: readMembers\n-- part members: select 1\nselect * from ({{members}}) m where m.id = :id',
    );
    const module = moduleOf(path);
    const template = JSON.parse(module.slice(module.indexOf('{'), -2)) as Template<'members'>;
    expect(fillParts(template, { members: 'select id from a -- {{members}}' })).toMatchObject({
      name: 'shop.readMembers',
      params: ['id'],
      text: '/* gcos:shop.readMembers */ select * from (select id from a -- {{members}}) m where m.id = $1',
    });
  });

  it('refuses an undefined placeholder, two fragments with one name, and text above the first statement', () => {
    expect(() => only('-- name: readAll\nselect {{columns}} from orders')).toThrow(
      /no part or fragment `columns`/,
    );
    expect(() => only('-- fragment: a\n1\n-- fragment: a\n2\n-- name: b\nselect {{a}}')).toThrow(
      /two fragments/,
    );
    expect(() => only('select 1\n-- name: b\nselect 2')).toThrow(/above the first statement/);
  });
});

it('exports a file without statements as one text', () => {
  const path = write('migration.sql', 'create table orders (id bigint);\n');
  expect(readSql(path)).toEqual({ text: 'create table orders (id bigint);\n', statements: [], uses: [] });
  expect(moduleOf(path)).toBe('export default "create table orders (id bigint);\\n";\n');
});
