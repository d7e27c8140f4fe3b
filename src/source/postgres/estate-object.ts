// Owns making an object of a row: its links from the comment and, for the owner, from the comment of the
// relation that it is a part of; and whether a column looks as if it held personal data.
import type { SourceObject } from '../object/index.js';
import { readCommentLinks } from './comment-links.js';
import { type PersonalPatterns, personalCategory } from './personal-column.js';

/** What every statement of this source returns. */
export interface EstateRow {
  readonly class: string;
  readonly code: string;
  readonly identity: string;
  readonly parent_class: string | null;
  readonly parent_code: string | null;
  readonly comment: string | null;
  readonly parent_comment: string | null;
  readonly attributes: string;
}

/** A part has the owner of its relation unless its own comment speaks of one, legibly or not. */
function linksOf({ comment, parent_comment }: EstateRow) {
  const own = readCommentLinks(comment);
  const speaks = own.problems.some((each) => each.link === 'owner');
  const above = speaks || own.links.owner !== undefined ? undefined : readCommentLinks(parent_comment).links;
  const links = above?.owner === undefined ? own.links : { ...own.links, owner: above.owner };
  return { links, problems: own.problems };
}

export function estateObject(row: EstateRow, patterns: PersonalPatterns): SourceObject {
  const facts = JSON.parse(row.attributes) as Record<string, unknown>;
  const { links, problems } = linksOf(row);
  const isColumn = row.class === 'column';
  const { type_name: typeName, type_category: typeCategory, ...rest } = facts;
  const personal = isColumn
    ? personalCategory(
        { name: String(facts['name']), typeName: String(typeName), typeCategory: String(typeCategory) },
        patterns,
      )
    : undefined;
  return {
    class: personal === undefined ? row.class : 'personal_column',
    code: row.code,
    identity: row.identity,
    parent:
      row.parent_class === null || row.parent_code === null
        ? null
        : { class: row.parent_class, code: row.parent_code },
    attributes: {
      ...(isColumn ? rest : facts),
      ...(personal === undefined ? {} : { personal }),
      comment: row.comment,
      ...(problems.length === 0 ? {} : { comment_problems: problems }),
    },
    links,
  };
}
