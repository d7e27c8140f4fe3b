// Owns patterns: what links the objects have whose code a pattern matches. The last pattern that matches and
// names a link gives it, as in CODEOWNERS.

export interface LinkPattern {
  /** Only objects of this source; undefined: of any. */
  readonly source?: string | undefined;
  /** `*` is any text, `?` one character, a backslash takes the next one literally. */
  readonly match: string;
  /** Only objects of this class; undefined: of any. */
  readonly class?: string | undefined;
  readonly links: Readonly<Record<string, string>>;
}

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

function compile(match: string): RegExp {
  const source = match.replaceAll(/\\(.)|[\s\S]/gu, (whole, escaped: string | undefined) =>
    escaped !== undefined
      ? escaped.replaceAll(SPECIAL, '\\$&')
      : whole === '*'
        ? '.*'
        : whole === '?'
          ? '.'
          : whole.replaceAll(SPECIAL, '\\$&'),
  );
  return new RegExp(`^${source}$`, 'su');
}

export type LinksOf = (object: {
  readonly class: string;
  readonly code: string;
}) => Readonly<Record<string, string>>;

/** The links that the patterns give an object. Compiled once, for any number of objects. */
export function matchPatterns(patterns: readonly LinkPattern[]): LinksOf {
  const compiled = patterns
    .map((each) => ({ ...each, form: compile(each.match) }))
    // From the last: the first one found counts.
    .reverse();
  const names = new Set(patterns.flatMap((each) => Object.keys(each.links)));
  return ({ class: objectClass, code }) => {
    const found: Record<string, string> = {};
    let missing = names.size;
    for (const each of compiled) {
      if (missing === 0) break;
      if ((each.class !== undefined && each.class !== objectClass) || !each.form.test(code)) continue;
      for (const [link, value] of Object.entries(each.links))
        if (!Object.hasOwn(found, link)) {
          found[link] = value;
          missing -= 1;
        }
    }
    return found;
  };
}
