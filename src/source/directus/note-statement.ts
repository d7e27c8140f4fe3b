// Owns the statement that gives an object of a Directus project a link: it sets the note or description that
// Directus has for it, and keeps the text that is there. INVARIANT: it executes as it is printed.
import { quoteLiteral } from '../../db/index.js';
import { visibleStatement, withCommentLink } from '../postgres/index.js';

/** Where the note of an object is: the attribute `note_at`. */
interface NotePlace {
  /** Quoted where it must be. */
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly id?: string | null;
  readonly collection?: string;
  readonly field?: string;
}

function statementFor(
  { schema, table, column, id, collection, field }: NotePlace,
  text: string,
): string | null {
  const place = `${schema}.${table}`;
  const note = quoteLiteral(text);
  if (id !== undefined && id !== null)
    return `UPDATE ${place} SET ${column} = ${note} WHERE id = ${quoteLiteral(id)};`;
  if (collection === undefined) return null;
  if (field !== undefined)
    return `INSERT INTO ${place} (collection, field, ${column}) VALUES (${quoteLiteral(collection)}, ${quoteLiteral(field)}, ${note});`;
  return `INSERT INTO ${place} (collection, ${column}) VALUES (${quoteLiteral(collection)}, ${note}) ON CONFLICT (collection) DO UPDATE SET ${column} = excluded.${column};`;
}

/** The statement after which the note at `place` says this, and still says the rest. */
export function noteStatement(
  place: NotePlace,
  note: string | null,
  link: string,
  value: string,
): string | null {
  const statement = statementFor(place, withCommentLink(note, link, value));
  return statement === null ? null : visibleStatement(statement);
}
