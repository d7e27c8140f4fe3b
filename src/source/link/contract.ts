// Owns reading data contracts (Open Data Contract Standard 3.1, YAML): the team that owns its tables, how
// long their data is kept, and the classification of their columns. INVARIANT: what cannot be read without a
// guess is an error with its line.
import { z } from 'zod';
import { parseYaml, type YamlFile } from '../../kernel/index.js';
import type { LinksOf } from './pattern.js';

const text = z.string().min(1);

/** Only what gives links is checked: a contract has much more. */
const contractForm = z.looseObject({
  apiVersion: z.string().regex(/^v3\.1\.\d+$/, 'only version 3.1 of the standard is read'),
  kind: z.literal('DataContract'),
  status: text,
  team: z.looseObject({ name: text.optional() }).optional(),
  servers: z.array(z.looseObject({ type: text.optional(), schema: text.optional() })).optional(),
  schema: z
    .array(
      z.looseObject({
        name: text,
        physicalName: text.optional(),
        properties: z
          .array(
            z.looseObject({
              name: text,
              physicalName: text.optional(),
              classification: text.optional(),
            }),
          )
          .optional(),
      }),
    )
    .optional(),
  slaProperties: z
    .array(
      z.looseObject({
        property: text,
        value: z.unknown(),
        unit: text.optional(),
        element: text.optional(),
      }),
    )
    .optional(),
});
type Contract = z.infer<typeof contractForm>;
type Reading = ReturnType<typeof parseYaml<Contract>>;

/** A table or a column, by the code that PostgreSQL prints. */
export interface ContractLinks {
  /** Only objects of this source; undefined: of any. */
  readonly source?: string | undefined;
  readonly kind: 'table' | 'column';
  readonly code: string;
  readonly links: Readonly<Record<string, string>>;
}

/** The classes of objects that a contract can speak about. */
const CLASSES: Readonly<Record<ContractLinks['kind'], ReadonlySet<string>>> = {
  table: new Set(['table', 'partition', 'view', 'materialized_view', 'foreign_table', 'collection']),
  column: new Set(['column', 'personal_column', 'field']),
};

const PLAIN_NAME = /^[a-z_][a-z0-9_$]*$/;
/** As PostgreSQL quotes a name, except for its keywords, which a contract quotes itself. */
const quoted = (name: string): string =>
  PLAIN_NAME.test(name) || name.startsWith('"') ? name : `"${name.replaceAll('"', '""')}"`;

const UNITS: Readonly<Record<string, string>> = {
  d: 'D',
  day: 'D',
  days: 'D',
  w: 'W',
  week: 'W',
  weeks: 'W',
  month: 'M',
  months: 'M',
  y: 'Y',
  yr: 'Y',
  year: 'Y',
  years: 'Y',
};

/** The schema of the tables: that of the contract's PostgreSQL servers, if they have one. */
function schemaOf({ value, problemAt }: Reading): string | undefined {
  const named = new Set(
    (value.servers ?? []).flatMap(({ type, schema }) =>
      schema !== undefined && (type === 'postgres' || type === 'postgresql') ? [schema] : [],
    ),
  );
  if (named.size > 1)
    throw problemAt(['servers'], `its servers have several schemas: ${[...named].join(', ')}`);
  const [schema] = named;
  return schema;
}

/** `P3Y`; undefined: the contract says nothing about retention. */
function retentionOf({ value, problemAt }: Reading): string | undefined {
  const said = (value.slaProperties ?? []).flatMap((each, index) => {
    if (each.property.toLowerCase() !== 'retention') return [];
    const path = ['slaProperties', index];
    const unit = UNITS[(each.unit ?? '').toLowerCase()];
    const count = typeof each.value === 'string' ? Number(each.value) : each.value;
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1 || count > 9_999)
      throw problemAt([...path, 'value'], 'a retention is a whole number of a unit');
    if (unit === undefined)
      throw problemAt([...path, 'unit'], 'the unit of a retention is day, week, month or year');
    return [{ duration: `P${count}${unit}`, index }];
  });
  const [first, ...rest] = said;
  const other = rest.find((each) => each.duration !== first?.duration);
  if (other !== undefined)
    throw problemAt(['slaProperties', other.index], `another retention than ${first?.duration} above`);
  return first?.duration;
}

/** The links that one contract gives. A retired contract gives none. */
export function readContract(file: YamlFile): readonly ContractLinks[] {
  const reading = parseYaml(file, contractForm);
  const { value } = reading;
  if (value.status === 'retired') return [];
  const [schema, retention] = [schemaOf(reading), retentionOf(reading)];
  const links = {
    ...(value.team?.name === undefined ? {} : { owner: value.team.name }),
    ...(retention === undefined ? {} : { retention }),
  };
  return (value.schema ?? []).flatMap((table): readonly ContractLinks[] => {
    const name = table.physicalName ?? table.name;
    const isWhole = schema === undefined || name.includes('.');
    const code = isWhole ? name : `${quoted(schema)}.${quoted(name)}`;
    const columns = (table.properties ?? []).flatMap((column): readonly ContractLinks[] =>
      column.classification === undefined
        ? []
        : [
            {
              kind: 'column',
              code: `${code}.${quoted(column.physicalName ?? column.name)}`,
              links: { classification: column.classification },
            },
          ],
    );
    return [
      ...(Object.keys(links).length === 0 ? [] : [{ kind: 'table' as const, code, links }]),
      ...columns,
    ];
  });
}

/** What several contracts say about an object; values of one link that differ stand side by side. */
export function matchContracts(
  contracts: readonly ContractLinks[],
): (object: { readonly class: string; readonly code: string }) => readonly ReturnType<LinksOf>[] {
  const byCode = new Map<string, ContractLinks[]>();
  for (const each of contracts) {
    const same = byCode.get(each.code);
    if (same === undefined) byCode.set(each.code, [each]);
    else same.push(each);
  }
  return ({ class: objectClass, code }) =>
    (byCode.get(code) ?? []).filter(({ kind }) => CLASSES[kind].has(objectClass)).map(({ links }) => links);
}
