export interface SqlStatement {
  readonly name: string;
  readonly exportName: string;
  readonly text: string;
  readonly params: readonly string[];
  readonly nullable: readonly string[];
  readonly parts: Readonly<Record<string, string>>;
}

/** Parses a `.sql` file: either `text` (a migration) or `statements`. */
export function readSql(path: string): {
  readonly text: string | undefined;
  readonly statements: readonly SqlStatement[];
  /** Files named in its `-- use:` lines. */
  readonly uses: readonly string[];
};

/** The file's own fragments and those of the files it uses, by name, with nested fragments expanded. */
export function readFragments(path: string): ReadonlyMap<string, string>;

/** The source of the module that `./page.sql.js` resolves to at run time. */
export function moduleOf(path: string): string;
