// A room imports `./page.sql.js`; the build writes that module from `page.sql`, and the test runner
// serves it straight from the .sql file. So the SQL is embedded, and there is no generated source.
declare module '*.sql.js' {
  const text: string;
  export default text;
}
