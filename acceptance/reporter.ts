// Prints one line per demand: its number, whether it holds, what it says, and what was seen. A demand that no test has shown, or
// whose test showed nothing, has not been met.
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { demandsNamed, readDemands } from './list.js';

interface Shown {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly evidence: readonly string[];
}

const NOTHING: Shown = { passed: 0, failed: [], evidence: [] };

function add(shown: Shown, test: TestCase): Shown {
  const { state } = test.result();
  const { evidence = [] } = test.meta();
  if (state === 'passed')
    return { ...shown, passed: shown.passed + 1, evidence: [...shown.evidence, ...evidence] };
  return { ...shown, failed: [...shown.failed, `${state}: ${test.fullName}`] };
}

function resultOf({ passed, failed, evidence }: Shown): 'pass' | 'FAIL' | 'MISSING' {
  if (failed.length > 0) return 'FAIL';
  return passed > 0 && evidence.length > 0 ? 'pass' : 'MISSING';
}

export default class AcceptanceReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const byNumber = new Map<string, Shown>();
    for (const test of modules.flatMap((module) => [...module.children.allTests()]))
      for (const number of demandsNamed(test.fullName))
        byNumber.set(number, add(byNumber.get(number) ?? NOTHING, test));
    const demands = readDemands();
    const width = Math.max(...demands.map(({ number }) => number.length));
    const lines = demands.map(({ number, statement }) => {
      const shown = byNumber.get(number) ?? NOTHING;
      const result = resultOf(shown);
      const seen = result === 'FAIL' ? shown.failed : shown.evidence;
      return {
        result,
        text: `${number.padEnd(width)}  ${result.padEnd(7)}  ${statement} — ${seen.join('; ')}`,
      };
    });
    for (const { text } of lines) console.log(text);
    const met = lines.filter(({ result }) => result === 'pass').length;
    console.log(`\n${met} of ${lines.length} acceptance tests hold`);
    for (const error of modules.flatMap((module) => module.errors())) console.error(error.message);
    if (met < lines.length) process.exitCode = 1;
  }
}
