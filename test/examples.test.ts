// The programs in examples/ run as a user runs them: each in its own process, importing the built package by
// its name.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkout } from './support/cli.js';
import { createEstate, type Estate } from './support/estate.js';

const run = promisify(execFile);

/** The output and the exit code of each program on the demo estate. */
const EXPECTED: Readonly<Record<string, { readonly exit: number; readonly out: RegExp }>> = {
  'ask-the-gate': {
    exit: 2,
    out: /^dot_tools \/ DOT-117: block\n {2}orphan approval: .+\n(.|\n)*fix: give .+GOV-COUNCIL/,
  },
  'check-a-release': { exit: 0, out: /^check \d+: \d of 3 blocked\n {2}DOT-117: orphan/ },
  'explain-an-object': {
    exit: 0,
    out: /^approval: `dot_tools` \/ `DOT-117` in scope approval (.|\n)*audit: /,
  },
  'list-findings': {
    exit: 0,
    out: /GCOS-[0-9a-f]{20} {2}\w+ {2}for GOV-(.|\n)*\d\d+ critical findings are open\n$/,
  },
  'preview-a-rule-change': {
    exit: 0,
    out: /^gov-rs-[0-9a-f]+ → gov-rs-[0-9a-f]+: 0 changes reach 0 of \d+ groups\n/,
  },
  'request-an-exception': { exit: 0, out: /^GEX-\d+ would be waiting until \d{4}-/ },
  'run-a-scan': { exit: 0, out: /^scan-[0-9a-f-]+: \d+ evaluated, \d+ changed, \d+ findings raised\n$/ },
  'show-the-ledger': {
    exit: 0,
    out: /^approval: \d+ = \d+ covered, \d+ orphans, \d+ unverified, …; closes, \d+ % verified\n/,
  },
  'three-questions': {
    exit: 0,
    out: /^Is every object accounted for\? yes: (.|\n)*May this go to production\? no: /,
  },
};

describe('examples', () => {
  // Inside the package, its own name resolves through `exports`.
  const folder = mkdtempSync(join(checkout, 'dist', 'examples-'));
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('scanned');
    for (const name of Object.keys(EXPECTED)) {
      const source = readFileSync(join(checkout, 'examples', `${name}.ts`), 'utf8');
      const { outputText } = ts.transpileModule(source, {
        compilerOptions: {
          module: ts.ModuleKind.ESNext,
          target: ts.ScriptTarget.ES2022,
          verbatimModuleSyntax: true,
        },
      });
      writeFileSync(join(folder, `${name}.mjs`), outputText);
    }
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await estate?.close();
  });

  it('all have an expected output here', () => {
    // The folder `ci` has a test of its own.
    const present = readdirSync(join(checkout, 'examples'))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.replace('.ts', ''));
    expect(present.sort()).toEqual(Object.keys(EXPECTED).sort());
    expect(present.length).toBeGreaterThanOrEqual(8);
  });

  it.each(Object.entries(EXPECTED))('%s prints its expected output', async (name, { exit, out }) => {
    const env = { ...process.env, DATABASE_URL: estate.url };
    const result = await run(process.execPath, [join(folder, `${name}.mjs`)], { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    expect(result.stdout, result.stderr).toMatch(out);
    expect(result.code).toBe(exit);
  });
});
