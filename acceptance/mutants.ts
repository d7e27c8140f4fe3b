// Owns the mutants: for each line of docs/acceptance.md a small change of the product that breaks exactly what
// the line claims. A change is a list of edits; each must match exactly once.

export interface Edit {
  /** Relative to the root of the project. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  readonly number: string;
  /** What no longer holds, for docs/acceptance.md. */
  readonly breaks: string;
  readonly edits: readonly Edit[];
}

/** The text after an edit; an edit that does not match exactly once is an error. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`the edit of ${file} matches ${parts.length - 1} times, not once: ${find}`);
  return parts.join(replace);
}

/** The cell of a mutant in docs/acceptance.md. */
export function describeMutant({ breaks, edits }: Mutant): string {
  const files = [...new Set(edits.map(({ file }) => file))];
  const links = files.map((file) => `[${file.split('/').at(-1)}](../${file})`);
  return `${breaks}: ${links.join(', ')}`;
}

export const mutants: readonly Mutant[] = [
  {
    number: '31 §9 #1',
    breaks: 'members without a birth are left out on both sides of the ledger',
    edits: [
      {
        file: 'src/verdict/ledger/inventory/count.ts',
        find: 'for (const row of unborn) {',
        replace: 'for (const row of unborn.slice(unborn.length)) {',
      },
      {
        file: 'src/verdict/candidate/objects/materialize.ts',
        find: 'const drafts = await findUnbornDrafts(tx, rules);',
        replace: 'const drafts = (await findUnbornDrafts(tx, rules)).slice(0, 0);',
      },
    ],
  },
  {
    number: '31 §9 #3',
    breaks: 'a scope closes although its sides differ or rows are gone',
    edits: [
      {
        file: 'src/verdict/ledger/ledger.ts',
        find: 'return { ...ledger, gone, closes: ledger.closes && gone.length === 0 };',
        replace: 'return { ...ledger, gone, closes: ledger.closes || gone.length > 0 };',
      },
    ],
  },
];
