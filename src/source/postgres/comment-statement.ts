// Owns the statement that gives an object a link. COMMENT replaces the whole comment, so the statement holds
// the text that is there. INVARIANT: it shows no hidden character, and executes as it is printed.
import { quoteLiteral } from '../../db/index.js';
import { valueErrors } from '../../kernel/index.js';
import type { SourceObject } from '../object/index.js';
import { withCommentLink } from './comment-links.js';
import { visibleStatement } from './visible-statement.js';

/** By class; those that depend on the kind of the object are in `BY_KIND`. */
const WORDS: Readonly<Record<string, string>> = {
  schema: 'SCHEMA',
  table: 'TABLE',
  view: 'VIEW',
  materialized_view: 'MATERIALIZED VIEW',
  foreign_table: 'FOREIGN TABLE',
  column: 'COLUMN',
  personal_column: 'COLUMN',
  type: 'TYPE',
  role: 'ROLE',
  extension: 'EXTENSION',
  policy: 'POLICY',
  trigger: 'TRIGGER',
  publication: 'PUBLICATION',
  subscription: 'SUBSCRIPTION',
};
const BY_KIND: Readonly<Record<string, string>> = {
  table: 'TABLE',
  partitioned_table: 'TABLE',
  foreign_table: 'FOREIGN TABLE',
  function: 'FUNCTION',
  window: 'FUNCTION',
  procedure: 'PROCEDURE',
  // COMMENT ON AGGREGATE has a syntax of its own for an aggregate without arguments.
  aggregate: 'ROUTINE',
};

/** The statement after which the comment of `object` says this, and still says the rest. */
export function commentStatement(
  object: Pick<SourceObject, 'class' | 'code' | 'attributes'>,
  link: string,
  value: string,
): string {
  const word = WORDS[object.class] ?? BY_KIND[String(object.attributes['kind'])];
  if (word === undefined)
    throw valueErrors.value_invalid(`an object of the class \`${object.class}\` has no comment`);
  const comment = object.attributes['comment'];
  const text = withCommentLink(typeof comment === 'string' ? comment : null, link, value);
  return visibleStatement(`COMMENT ON ${word} ${object.code} IS ${quoteLiteral(text)};`);
}
