// Owns the kind `file`: a list of objects as CSV with a header, or as JSON lines.
import { resolve } from 'node:path';
import { z } from 'zod';
import { nearestName } from '../../kernel/index.js';
import {
  type SourceConfig,
  type SourceKind,
  type SourceObject,
  type SourceOptions,
  type SourceReader,
  sourceErrors,
} from '../object/index.js';
import { fieldsOf } from './csv.js';
import { type Line, linesOf, recordsOf } from './lines.js';

const fileConfig = z.strictObject({
  path: z.string().min(1),
  format: z.enum(['csv', 'jsonl']),
  class: z.string().regex(/^[a-z][a-z0-9_]{0,37}$/),
  code: z.string().min(1),
  identity: z.string().min(1).nullable(),
  links: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), z.string().min(1)),
});
type FileConfig = z.infer<typeof fileConfig>;

const invalid = (message: string): Error => sourceErrors.source_invalid(message);

function parseConfig(config: unknown): FileConfig {
  const parsed = fileConfig.safeParse(config);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [name = 'configuration'] = issue?.path ?? [];
  const given = (config as Readonly<Record<PropertyKey, unknown>> | null)?.[name];
  throw invalid(
    `${String(name)}: ${given === undefined ? '' : `${JSON.stringify(given)}: `}${issue?.message ?? 'wrong form'}`,
  );
}

function configure({ location, class: objectClass, code, identity, links }: SourceOptions): SourceConfig {
  if (objectClass === undefined || code === undefined)
    throw invalid('a file needs --class, the class of its objects, and --code, the column of their code');
  const format = /\.(jsonl|ndjson)$/i.test(location) ? 'jsonl' : /\.csv$/i.test(location) ? 'csv' : undefined;
  if (format === undefined) throw invalid(`\`${location}\` ends neither in .csv nor in .jsonl`);
  return parseConfig({
    path: resolve(location),
    format,
    class: objectClass,
    code,
    identity: identity ?? null,
    links: links ?? {},
  });
}

/** An object from the values of one record; `field` says what the record has for a name. */
function objectOf(
  config: FileConfig,
  { number }: Line,
  field: (name: string) => string,
  attributes: Readonly<Record<string, unknown>>,
): SourceObject {
  const code = field(config.code);
  if (code === '') throw invalid(`line ${number}: \`${config.code}\`, the code of an object, is empty`);
  const identity = config.identity === null ? '' : field(config.identity);
  const links: Record<string, string> = {};
  for (const [link, name] of Object.entries(config.links)) {
    const value = field(name).trim();
    if (value !== '') links[link] = value;
  }
  return {
    class: config.class,
    code,
    identity: identity === '' ? null : identity,
    parent: null,
    attributes,
    links,
  };
}

/** The names that have a meaning of their own; the others are attributes. */
const namesOf = ({ code, identity, links }: FileConfig): readonly string[] => [
  code,
  ...(identity === null ? [] : [identity]),
  ...Object.values(links),
];

/** Where each name of the header is. Throws if one that the configuration names is not there. */
function placesOf(config: FileConfig, line: Line): ReadonlyMap<string, number> {
  const header = fieldsOf({ ...line, text: line.text.replace(/^\uFEFF/, '') }).map((name) => name.trim());
  const places = new Map(header.map((name, index) => [name, index]));
  if (places.size !== header.length) throw invalid(`line ${line.number}: a column is there twice`);
  for (const name of namesOf(config)) {
    if (places.has(name)) continue;
    const near = nearestName(name, header);
    throw invalid(
      `line ${line.number}: there is no column \`${name}\`${near === undefined ? '' : `: did you mean \`${near}\`?`}`,
    );
  }
  return places;
}

async function* csvObjects(config: FileConfig): AsyncGenerator<SourceObject, void, undefined> {
  let places: ReadonlyMap<string, number> | undefined;
  let others: readonly (readonly [string, number])[] = [];
  for await (const records of recordsOf(config.path)) {
    for (const record of records) {
      if (places === undefined) {
        places = placesOf(config, record);
        const named = new Set(namesOf(config));
        others = [...places].filter(([name]) => !named.has(name));
        continue;
      }
      const fields = fieldsOf(record);
      if (fields.length !== places.size)
        throw invalid(`line ${record.number}: ${fields.length} fields, where the header has ${places.size}`);
      const known = places;
      const attributes: Record<string, string> = {};
      for (const [name, index] of others) attributes[name] = fields[index] ?? '';
      yield objectOf(config, record, (name) => fields[known.get(name) ?? -1] ?? '', attributes);
    }
  }
  if (places === undefined) throw invalid('the file is empty: a header is missing');
}

const jsonObject = z.record(z.string(), z.unknown());

function parseLine({ number, text }: Line): Readonly<Record<string, unknown>> {
  try {
    return jsonObject.parse(JSON.parse(text));
  } catch (error) {
    throw sourceErrors.source_invalid(`line ${number}: not a JSON object`, { cause: error });
  }
}

async function* jsonObjects(config: FileConfig): AsyncGenerator<SourceObject, void, undefined> {
  const named = new Set(namesOf(config));
  for await (const lines of linesOf(config.path)) {
    for (const line of lines) {
      if (line.text.trim() === '') continue;
      const values = parseLine(line);
      const field = (name: string): string => {
        const value = values[name];
        if (value === undefined || value === null) return '';
        if (typeof value === 'string' || typeof value === 'number') return String(value);
        throw invalid(`line ${line.number}: \`${name}\` is neither a text nor a number`);
      };
      const attributes = Object.fromEntries(Object.entries(values).filter(([name]) => !named.has(name)));
      yield objectOf(config, line, field, attributes);
    }
  }
}

export const fileKind: SourceKind = {
  name: 'file',
  configure,
  open(config): SourceReader {
    const parsed = parseConfig(config);
    return {
      describe: () => ({ classes: [parsed.class], links: Object.keys(parsed.links) }),
      read: () => (parsed.format === 'csv' ? csvObjects(parsed) : jsonObjects(parsed)),
    };
  },
};
