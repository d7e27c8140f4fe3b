// Owns making an object of a row: its links from the note of the object and, for the owner, from the notes
// above it; and whether a field looks as if it held personal data.
import type { SourceObject } from '../object/index.js';
import { type PersonalPatterns, personalCategory, readCommentLinks } from '../postgres/index.js';

/** What every statement of this source returns. */
export interface ProjectRow {
  readonly class: string;
  readonly code: string;
  readonly identity: string;
  readonly parent_class: string | null;
  readonly parent_code: string | null;
  readonly note: string | null;
  /** The notes of what the object is a part of, nearest first. */
  readonly above: readonly string[];
  readonly attributes: string;
}

/** Links that an object takes from above, by class; every other class takes the owner alone. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  // A permission has no text of its own: its collection or its policy says who approved it.
  directus_public_permission: ['owner', 'approval'],
};

function linksOf({ class: objectClass, note, above }: ProjectRow) {
  const own = readCommentLinks(note);
  const links: Record<string, string> = { ...own.links };
  const notes = above.map(readCommentLinks);
  for (const link of TAKEN[objectClass] ?? ['owner']) {
    // The nearest note that speaks of it counts, legibly or not.
    const nearest = [own, ...notes].find(
      (each) => link in each.links || each.problems.some((problem) => problem.link === link),
    );
    const value = nearest?.links[link as keyof typeof nearest.links];
    if (value !== undefined) links[link] = value;
  }
  return { links, problems: own.problems };
}

export function projectObject(row: ProjectRow, patterns: PersonalPatterns): SourceObject {
  const {
    type_name: typeName,
    type_category: typeCategory,
    ...facts
  } = JSON.parse(row.attributes) as Record<string, unknown>;
  const { links, problems } = linksOf(row);
  const isColumn = row.class === 'directus_field' && typeof typeName === 'string';
  const personal = isColumn
    ? personalCategory(
        { name: String(facts['name']), typeName, typeCategory: String(typeCategory) },
        patterns,
      )
    : undefined;
  return {
    class: personal === undefined ? row.class : 'directus_personal_field',
    code: row.code,
    identity: row.identity,
    parent:
      row.parent_class === null || row.parent_code === null
        ? null
        : { class: row.parent_class, code: row.parent_code },
    attributes: {
      ...facts,
      ...(personal === undefined ? {} : { personal }),
      comment: row.note,
      ...(problems.length === 0 ? {} : { comment_problems: problems }),
    },
    links,
  };
}
