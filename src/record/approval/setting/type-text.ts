// Owns the text form of the type of a setting, from the form that checks it.
import { z } from 'zod';

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly format?: string;
};

/** Beyond this, a bound is only that of the number format. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

function boundsOf({ minimum, maximum, exclusiveMinimum }: Schema): string {
  const least = minimum !== undefined && minimum > -UNBOUNDED ? minimum : undefined;
  const most = maximum !== undefined && maximum < UNBOUNDED ? maximum : undefined;
  if (least !== undefined && most !== undefined) return ` ${least} to ${most}`;
  const from =
    exclusiveMinimum === undefined ? (least === undefined ? '' : ` ≥ ${least}`) : ` > ${exclusiveMinimum}`;
  return `${from}${most === undefined ? '' : ` ≤ ${most}`}`;
}

function textOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(textOf).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ');
  if (schema.const !== undefined) return String(schema.const);
  switch (schema.type) {
    case 'integer':
      return `whole number${boundsOf(schema)}`;
    case 'number':
      return `number${boundsOf(schema)}`;
    case 'array':
      return `list of (${textOf(schema.items ?? {})})`;
    case 'object': {
      if (schema.properties === undefined) {
        const { additionalProperties } = schema;
        return `{any name: ${typeof additionalProperties === 'object' ? textOf(additionalProperties) : 'any'}}`;
      }
      const required = new Set(schema.required);
      return `{${Object.entries(schema.properties)
        .map(([name, each]) => `${name}${required.has(name) ? '' : '?'}: ${textOf(each)}`)
        .join(', ')}}`;
    }
    case 'string':
      return schema.format === 'date-time' ? 'time' : 'text';
    default:
      return typeof schema.type === 'string' ? schema.type : 'any';
  }
}

/** The type in words: `{minutes: whole number ≥ 1}`. */
export function typeText(form: z.ZodType): string {
  return textOf(z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' }) as Schema);
}
