// A module imports `./page.sql.js`, which `scripts/sql.mjs` makes from `page.sql`: at build time, and for the
// test runner. Statements have their types beside them, in `page.sql.d.ts`; a migration is one text.
declare module '*.sql.js' {
  const text: string;
  export default text;
}
