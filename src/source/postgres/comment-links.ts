// Owns the links in a comment: lines such as `@owner team-checkout` above the free text. INVARIANT: a line
// that cannot be read is reported and gives no link, and two lines that disagree give none either.
import { requireKnown, valueErrors } from '../../kernel/index.js';

interface LinkForm {
  readonly form: RegExp;
  /** What a value is, with an example. */
  readonly means: string;
}

const LINKS = {
  owner: { form: /^[\p{L}\p{N}@][\p{L}\p{N}._/@:-]{0,199}$/u, means: 'one name, such as team-checkout' },
  classification: { form: /^[A-Za-z][A-Za-z0-9_-]{0,62}$/, means: 'one word, such as personal' },
  retention: {
    form: /^P(?=[\dT])(\d{1,5}Y)?(\d{1,5}M)?(\d{1,5}W)?(\d{1,5}D)?(T(?=\d)(\d{1,5}H)?(\d{1,5}M)?(\d{1,5}S)?)?$/,
    means: 'an ISO 8601 duration, such as P3Y',
  },
  approval: {
    form: /^https?:\/\/[^\s/?#]+\S{0,1900}$/,
    means: 'a URL, such as https://example.org/review/7',
  },
} as const satisfies Readonly<Record<string, LinkForm>>;

type CommentLink = keyof typeof LINKS;
/** The links that a comment can hold. */
export const COMMENT_LINKS = Object.keys(LINKS) as readonly CommentLink[];

interface CommentProblem {
  /** From 1 on. */
  readonly line: number;
  readonly link: CommentLink;
  readonly problem: string;
}

interface CommentLinks {
  readonly links: Readonly<Partial<Record<CommentLink, string>>>;
  readonly problems: readonly CommentProblem[];
}

interface Line {
  readonly text: string;
  readonly line: number;
  /** The word after `@`, as written; undefined: a line of text. */
  readonly tag: string | undefined;
  /** Undefined: something else than a space follows the tag. */
  readonly value: string | undefined;
  /** Whether a line of text stands above it. */
  readonly isBelowText: boolean;
}

const TAG = /^\s*@([A-Za-z][\w-]*)(.*)$/su;

function linesOf(comment: string): readonly Line[] {
  let isBelowText = false;
  return comment.split('\n').map((text, index) => {
    const match = TAG.exec(text);
    const [, tag, rest = ''] = match ?? [];
    const value = /^(\s|$)/.test(rest) ? rest.trim() : undefined;
    const line = { text, line: index + 1, tag, value, isBelowText };
    isBelowText ||= match === null && text.trim() !== '';
    return line;
  });
}

/** The link that a tag names; tags of other tools name none. */
const linkOf = (tag: string | undefined): CommentLink | undefined =>
  COMMENT_LINKS.find((link) => link === tag?.toLowerCase());

function problemOf(line: Line, link: CommentLink): string | undefined {
  if (line.tag !== link) return `write @${link} in lower case`;
  if (line.isBelowText) return `@${link} stands below the free text`;
  if (line.value === undefined) return `write a space after @${link}`;
  if (line.value === '') return `@${link} has no value`;
  return LINKS[link].form.test(line.value) ? undefined : `the value of @${link} is not ${LINKS[link].means}`;
}

/** The links of `comment`, and what cannot be read in it. Lines with tags of other tools count as neither. */
export function readCommentLinks(comment: string | null): CommentLinks {
  const values = new Map<CommentLink, Set<string>>();
  const problems: CommentProblem[] = [];
  for (const line of comment === null || !comment.includes('@') ? [] : linesOf(comment)) {
    const link = linkOf(line.tag);
    if (link === undefined) continue;
    const problem = problemOf(line, link);
    if (problem !== undefined) {
      problems.push({ line: line.line, link, problem });
      continue;
    }
    const said = values.get(link) ?? new Set();
    const value = line.value ?? '';
    if (said.size > 0 && !said.has(value))
      problems.push({ line: line.line, link, problem: `@${link} says something else than a line above` });
    values.set(link, said.add(value));
  }
  const agreed = [...values].flatMap(([link, said]) => (said.size === 1 ? [[link, ...said] as const] : []));
  return { links: Object.fromEntries(agreed), problems };
}

/**
 * `comment` with this value of the link, and otherwise as it is: the line replaces those of the same link
 * above the text, or becomes the first one.
 */
export function withCommentLink(comment: string | null, link: string, value: string): string {
  const known = requireKnown(link, { what: 'link of a comment', known: COMMENT_LINKS });
  if (!LINKS[known].form.test(value))
    throw valueErrors.value_invalid(`${known}: \`${value}\` is not ${LINKS[known].means}`);
  const added = `@${known} ${value}`;
  if (comment === null || comment === '') return added;
  const lines = linesOf(comment);
  const isOld = (line: Line) => !line.isBelowText && linkOf(line.tag) === known;
  const first = lines.find(isOld);
  const kept = lines.flatMap((line) => (line === first ? [added] : isOld(line) ? [] : [line.text]));
  return (first === undefined ? [added, ...kept] : kept).join('\n');
}
