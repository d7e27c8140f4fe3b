export interface SqlStatement {
  readonly name: string;
  readonly exportName: string;
  readonly text: string;
  readonly params: readonly string[];
  readonly nullable: readonly string[];
  readonly parts: Readonly<Record<string, string>>;
}

/** What a `.sql` file holds: the text of a migration, or statements. */
export function readSql(path: string): {
  readonly text: string | undefined;
  readonly statements: readonly SqlStatement[];
  /** Files whose fragments it includes. */
  readonly uses: readonly string[];
};

/** The fragments that a file has and uses, by name, whole. */
export function readFragments(path: string): ReadonlyMap<string, string>;

/** The module that `./page.sql.js` is at run time. */
export function moduleOf(path: string): string;
