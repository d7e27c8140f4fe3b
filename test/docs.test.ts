// The documentation does not rot: generated pages are fresh, the README is short and names commands that exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../src/cli/program.js';
import { checkout } from './support/cli.js';
import { cliPage, configurationPage, errorsPage } from './support/reference.js';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

describe('reference pages (npm run docs writes them)', () => {
  it.each([
    ['cli', cliPage],
    ['configuration', configurationPage],
    ['errors', errorsPage],
  ])('%s.md is what the code says', async (name, page) => {
    await expect(page()).toMatchFileSnapshot(`../docs/reference/${name}.md`);
  });
});

describe('README', () => {
  const text = read('README.md');

  it('is at most 150 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(150);
  });

  it('names the two lines, and CI runs exactly the test line', () => {
    expect(text).toContain('npm ci && npm start');
    expect(text).toContain('npm ci && npm test');
    expect(read('.ci/run')).toContain('npm ci && npm test');
  });

  it('names only commands that exist', () => {
    const program = buildProgram();
    const named = [...text.matchAll(/gcos ([a-z]+)(?: ([a-z]+))?/g)];
    expect(named.length).toBeGreaterThan(5);
    for (const [whole, first, second] of named) {
      const command = program.commands.find((each) => each.name() === first);
      expect(command, whole).toBeDefined();
      if (command !== undefined && command.commands.length > 0) {
        expect(
          command.commands.map((each) => each.name()),
          whole,
        ).toContain(second);
      }
    }
  });

  it('links only to files that exist', () => {
    for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']) {
      const folder = page.includes('/') ? 'docs' : '.';
      const links = [...read(page).matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1] ?? '');
      for (const link of links)
        expect(existsSync(join(checkout, folder, link)), `${page} → ${link}`).toBe(true);
    }
  });
});
