// Owns "did you mean": the name that a mistyped one most likely stands for.

/** How many edits (insert, delete, replace, swap two neighbours) lead from one text to the other. */
function editsBetween(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1;
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
          ? (before[column - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + same,
        swapped,
      );
    }
    before = above;
    above = current;
  }
  return above[right.length] ?? 0;
}

/** Longer texts are no typing mistakes, and comparing them would take time. */
const LONGEST = 100;

/** The one of `known` that `text` most likely means; undefined if none is near. */
export function nearestName(text: string, known: readonly string[]): string | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = text.toLowerCase();
  let found: { readonly name: string; readonly edits: number } | undefined;
  for (const name of known) {
    const other = name.toLowerCase();
    // A third of the letters may differ; a name may also be cut short.
    const most = Math.max(1, Math.floor(Math.min(plain.length, other.length) / 3));
    if (Math.abs(plain.length - other.length) > most || other.length > LONGEST) {
      if (plain.length >= 3 && other.startsWith(plain) && (found?.edits ?? 1) >= 1)
        found ??= { name, edits: 1 };
      continue;
    }
    const edits = editsBetween(plain, other);
    if (edits <= most && edits < (found?.edits ?? Number.POSITIVE_INFINITY)) found = { name, edits };
  }
  return found?.name;
}
