// Parses `.sql` files and generates a module from each, for the build and for the tests.
//
// A file without `-- name:` and `-- fragment:` is one text (a migration) and becomes `export default 'text'`.
// Any other file consists of sections:
//
//   -- name: readDueGroups        begins a statement; the comment lines below it describe it
//   -- nullable: owner, :after    lists columns and parameters (`:after`) that may be NULL; an array
//                                 parameter listed as `:codes[]` may have NULL elements
//   -- not null: code             lists columns that allow NULL in the catalog, but not in the result
//   -- part members: select …     names a part whose SQL depends on the host (`{{members}}`), with an example
//                                 for the contract test
//   -- fragment: row_hash         begins a text that statements of this file include as `{{row_hash}}`
//   -- use: ../snapshot/row.sql   makes the fragments of another file available; above the first section
//
// Parameters are named: `:inventory_keys` in SQL is `inventoryKeys` in TypeScript and `$1`, `$2`, … for the
// server.
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';

const SECTION = /^-- (name|fragment): (\w+)$/;
const USE = /^-- use: (\S+)$/;
const LIST = /^-- (nullable|not null): (.+)$/;
const PART = /^-- part (\w+): (.*)$/;
const PLACEHOLDER = /\{\{(\w+)\}\}/g;

const namesIn = (text) => text.split(',').map((name) => name.trim());

/** The sections of a file, each with its header (comment lines) and body, and the files that it uses. */
function sectionsOf(path, text) {
  const uses = [];
  const sections = [];
  for (const line of text.split('\n')) {
    const begins = SECTION.exec(line);
    const current = sections.at(-1);
    if (begins) sections.push({ kind: begins[1], name: begins[2], header: [], body: [] });
    else if (current === undefined) {
      const use = USE.exec(line);
      if (use) uses.push(resolve(dirname(path), use[1]));
      else if (line !== '' && !line.startsWith('--'))
        throw new Error(`${path}: text above the first statement: ${line}`);
    } else if (current.body.length === 0 && (line.startsWith('--') || line === '')) current.header.push(line);
    else current.body.push(line);
  }
  return { uses, sections };
}

/** The fragments of a file and of the files it uses, by name. */
function fragmentsOf(path, { uses, sections }) {
  const own = sections
    .filter((each) => each.kind === 'fragment')
    .map((each) => [each.name, each.body.join('\n').trim()]);
  const used = uses.flatMap((file) => [...fragmentsOf(file, sectionsOf(file, readFileSync(file, 'utf8')))]);
  const all = [...used, ...own];
  if (new Set(all.map(([name]) => name)).size < all.length)
    throw new Error(`${path}: two fragments have the same name`);
  return new Map(all);
}

function withFragments(text, fragments) {
  return text.replaceAll(PLACEHOLDER, (whole, name) =>
    fragments.has(name) ? withFragments(fragments.get(name), fragments) : whole,
  );
}

/**
 * Matches parameters, and everything in which a colon does not begin one: strings, quoted names, comments,
 * dollar quotes, casts.
 */
const TOKEN =
  /[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|::|:([a-z]\w*)/g;

const camelCase = (name) => name.replaceAll(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** Replaces named parameters by numbered ones; returns the names in the order of their numbers. */
function numberParameters(sql) {
  const names = [];
  const text = sql.replaceAll(TOKEN, (whole, _tag, name) => {
    if (name === undefined) return whole;
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

/** Splits a statement into text and parts, in order. */
function chunksOf(text) {
  return text
    .split(/(\{\{\w+\}\})/)
    .map((chunk) => (/^\{\{\w+\}\}$/.test(chunk) ? { part: chunk.slice(2, -2) } : chunk))
    .filter((chunk) => chunk !== '');
}

function statementOf(path, section, fragments) {
  const lists = { nullable: [], 'not null': [] };
  const parts = {};
  for (const line of section.header) {
    const list = LIST.exec(line);
    if (list) lists[list[1]].push(...namesIn(list[2]));
    const part = PART.exec(line);
    if (part) parts[part[1]] = part[2];
  }
  const body = section.body.join('\n').trim().replace(/;$/, '');
  const sql = withFragments(body, fragments);
  for (const [, name] of sql.matchAll(PLACEHOLDER))
    if (!(name in parts)) throw new Error(`${path}: ${section.name} has no part or fragment \`${name}\``);
  const { text, names } = numberParameters(sql);
  // A statement of `tail/source.sql` is named `tail.wideRows` in errors and in the server log.
  const name = `${basename(dirname(path))}.${section.name}`;
  return {
    name,
    exportName: section.name,
    text: `/* gcos:${name} */ ${text}`,
    paramNames: names,
    params: names.map(camelCase),
    nullable: lists.nullable.filter((name) => !name.startsWith(':')),
    nullableParams: lists.nullable.filter((name) => name.startsWith(':')).map((name) => name.slice(1)),
    notNull: lists['not null'],
    parts,
  };
}

/** The file's own fragments and those of the files it uses, by name, with nested fragments expanded. */
export function readFragments(path) {
  const fragments = fragmentsOf(path, sectionsOf(path, readFileSync(path, 'utf8')));
  return new Map([...fragments].map(([name, text]) => [name, withFragments(text, fragments)]));
}

/** Parses a `.sql` file: either `text` (a migration) or `statements`. */
export function readSql(path) {
  const file = path.split(sep).join('/');
  const text = readFileSync(path, 'utf8');
  const found = sectionsOf(file, /^-- (name|fragment): /m.test(text) ? text : '');
  if (found.sections.length === 0) return { text, statements: [], uses: [] };
  const fragments = fragmentsOf(file, found);
  const statements = found.sections
    .filter((each) => each.kind === 'name')
    .map((each) => statementOf(file, each, fragments));
  return { text: undefined, statements, uses: found.uses };
}

/** The source of the module that `./page.sql.js` resolves to at run time. */
export function moduleOf(path) {
  const { text, statements } = readSql(path);
  if (text !== undefined) return `export default ${JSON.stringify(text)};\n`;
  return statements
    .map(({ exportName, name, text: sql, params, nullable, parts }) => {
      const value =
        Object.keys(parts).length === 0
          ? { name, text: sql, params, nullable }
          : { name, chunks: chunksOf(sql), params, nullable };
      return `export const ${exportName} = ${JSON.stringify(value)};\n`;
    })
    .join('');
}
