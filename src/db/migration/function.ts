// Owns what the migrations say about functions, to compare it with the functions in the database. A function
// that runs with an owner's rights decides; a change of its body, its rights or its search path must be
// noticed.
import { type Migration, type Names, renderTemplate } from './migration.js';

export interface DeclaredFunction {
  readonly name: string;
  /** The text of its body; undefined if the server stores it parsed (`return …`). */
  readonly body: string | undefined;
  readonly isDefiner: boolean;
  readonly isPinned: boolean;
}

const FUNCTION =
  /^create (?:or replace )?function [^\s.]+\.(\w+)\(([\s\S]*?)(?:\bas \$gcos_function\$([\s\S]*?)\$gcos_function\$;|\nreturn [^;]*;)/gm;

/** The functions that the migrations create. Of functions with one name, each has an entry. */
export function declaredFunctions(migrations: readonly Migration[], names: Names): DeclaredFunction[] {
  return migrations.flatMap((migration) =>
    [...renderTemplate(migration.up, names).matchAll(FUNCTION)].map(([, name = '', head = '', body]) => ({
      name,
      body,
      isDefiner: /^security definer$/m.test(head),
      isPinned: /^set search_path = pg_catalog, pg_temp$/m.test(head),
    })),
  );
}
