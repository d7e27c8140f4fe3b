// Owns the report of one run under a mutant: each test of the line with its state and its errors, as JSON in
// the file that the environment names.
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { LINE, REPORT, requirementsNamed } from './list.js';

export interface ReportedTest {
  readonly name: string;
  readonly state: string;
  /** The class and the first line of each error. */
  readonly errors: readonly { readonly name: string; readonly message: string }[];
}

export interface MutantReport {
  readonly tests: readonly ReportedTest[];
  /** Errors outside of tests: a file that does not load, a hook that fails. */
  readonly outside: readonly string[];
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

export default class MutantReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    const { [LINE]: line = '', [REPORT]: path } = process.env;
    if (path === undefined) throw new Error(`${REPORT} is not set`);
    const children = modules.map((module) => module.children);
    const tests = children
      .flatMap((each) => [...each.allTests()])
      .filter((test) => requirementsNamed(test.fullName).includes(line))
      .map((test) => {
        const { state, errors = [] } = test.result();
        return {
          name: test.fullName,
          state,
          errors: errors.map((error) => ({ name: error.name ?? 'Error', message: firstLine(error.message) })),
        };
      });
    const suites = children.flatMap((each) => [...each.allSuites()]);
    const outside = [...modules, ...suites]
      .flatMap((each) => each.errors())
      .concat(unhandled as never)
      .map((error) => firstLine(error.message));
    const report: MutantReport = { tests, outside };
    writeFileSync(path, JSON.stringify(report));
  }
}
