// Prints one line per requirement: its number, its result, its text and the evidence. A requirement without a
// passed test, or without evidence, is not met.
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { readRequirements, requirementsNamed } from './list.js';

interface Result {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly evidence: readonly string[];
}

const NO_RESULT: Result = { passed: 0, failed: [], evidence: [] };

function add(result: Result, test: TestCase): Result {
  const { state, errors = [] } = test.result();
  const { evidence = [] } = test.meta();
  if (state === 'passed')
    return { ...result, passed: result.passed + 1, evidence: [...result.evidence, ...evidence] };
  const why = errors.map((error) => ` (${error.message.split('\n')[0]})`).join('');
  return { ...result, failed: [...result.failed, `${state}: ${test.fullName}${why}`] };
}

function outcomeOf({ passed, failed, evidence }: Result): 'pass' | 'FAIL' | 'MISSING' {
  if (failed.length > 0) return 'FAIL';
  return passed > 0 && evidence.length > 0 ? 'pass' : 'MISSING';
}

export default class AcceptanceReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const byNumber = new Map<string, Result>();
    for (const test of modules.flatMap((module) => [...module.children.allTests()]))
      for (const number of requirementsNamed(test.fullName))
        byNumber.set(number, add(byNumber.get(number) ?? NO_RESULT, test));
    const requirements = readRequirements();
    const width = Math.max(...requirements.map(({ number }) => number.length));
    const lines = requirements.map(({ number, statement }) => {
      const result = byNumber.get(number) ?? NO_RESULT;
      const outcome = outcomeOf(result);
      const details = outcome === 'FAIL' ? result.failed : result.evidence;
      return {
        outcome,
        text: `${number.padEnd(width)}  ${outcome.padEnd(7)}  ${statement} — ${details.join('; ')}`,
      };
    });
    for (const { text } of lines) console.log(text);
    const met = lines.filter(({ outcome }) => outcome === 'pass').length;
    console.log(`\n${met} of ${lines.length} acceptance tests pass`);
    for (const error of modules.flatMap((module) => module.errors())) console.error(error.message);
    if (met < lines.length) process.exitCode = 1;
  }
}
