// Owns the fields of a CSV record, as RFC 4180 says: separated by commas; a field in quotes may contain
// commas, line ends and doubled quotes.
import { sourceErrors } from '../object/index.js';
import type { Line } from './lines.js';

/** One quoted field that starts at `from`: its value, and where it ends. */
function quotedField({ number, text }: Line, from: number): { value: string; end: number } {
  let end = from + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end < 0) throw sourceErrors.source_invalid(`line ${number}: a quote is not closed`);
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  const after = text[end + 1];
  if (after !== undefined && after !== ',')
    throw sourceErrors.source_invalid(`line ${number}: text after the closing quote of a field`);
  return { value: text.slice(from + 1, end).replaceAll('""', '"'), end: end + 1 };
}

export function fieldsOf(line: Line): readonly string[] {
  const { number, text } = line;
  if (!text.includes('"')) return text.split(',');
  const fields: string[] = [];
  for (let at = 0; ; at += 1) {
    if (text[at] === '"') {
      const { value, end } = quotedField(line, at);
      fields.push(value);
      at = end;
    } else {
      const comma = text.indexOf(',', at);
      const end = comma < 0 ? text.length : comma;
      const value = text.slice(at, end);
      if (value.includes('"'))
        throw sourceErrors.source_invalid(`line ${number}: a quote inside a field that is not in quotes`);
      fields.push(value);
      at = end;
    }
    if (at >= text.length) return fields;
  }
}
