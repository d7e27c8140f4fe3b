// The documentation matches the code: generated pages are up to date, and the README is short and names only
// commands that exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRequirements, requirementsNamed } from '../acceptance/list.js';
import { applyEdit, describeMutant, mutants } from '../acceptance/mutants.js';
import { documentSchema } from '../src/answer/configuration/index.js';
import { buildProgram } from '../src/cli/program.js';
import { checkout } from './support/cli.js';
import {
  cliPage,
  configurationPage,
  errorsPage,
  hostContractPage,
  metricsPage,
  settingsPage,
} from './support/reference.js';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

describe('reference pages (npm run docs writes them)', () => {
  it.each([
    ['cli', cliPage],
    ['configuration', configurationPage],
    ['errors', errorsPage],
    ['settings', settingsPage],
    ['host-contract', hostContractPage],
    ['metrics', metricsPage],
  ])('%s.md matches the code', async (name, page) => {
    await expect(page()).toMatchFileSnapshot(`../docs/reference/${name}.md`);
  });
});

describe('gcos.schema.json', () => {
  it('is the form of gcos.yaml', async () => {
    const schema = `${JSON.stringify(documentSchema(), null, 2)}\n`;
    await expect(schema).toMatchFileSnapshot('../docs/reference/gcos.schema.json');
  });
});

describe('acceptance.md', () => {
  const requirements = readRequirements();

  it('lists the acceptance tests of the design and those of seed 34, each once', () => {
    const expected = {
      '38.10': 7,
      '40.10': 8,
      '41.11': 8,
      '31 §9': 4,
      '34 §0': 1,
      '34 §4': 9,
      '34 §5': 3,
      '34 §6': 2,
      '34 §9': 1,
    };
    expect(requirements.map(({ number }) => number)).toEqual(
      Object.entries(expected).flatMap(([section, count]) =>
        Array.from({ length: count }, (_, index) => `${section} #${index + 1}`),
      ),
    );
  });

  it.each(requirements)('$number has a test in every file that the page lists', ({ number, files }) => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const text = read(file);
      const [section, index] = number.replace(/^31 /, '').split(' #');
      const titles = [...text.matchAll(/(?:(?:it|describe)\(|name:)\s*['"`](.*?)['"`],/g)].map(
        ([, title]) => title ?? '',
      );
      const named = titles.some(
        (title, at) =>
          requirementsNamed(title).includes(number) ||
          (titles.slice(0, at).some((outer) => outer.endsWith(section ?? '')) &&
            title.startsWith(`test ${index}`)),
      );
      expect(named, `${file} for ${number}`).toBe(true);
      expect(text).toContain('evidence(');
    }
  });

  it('lists the mutant of every line, and every mutant has its line', () => {
    expect(requirements.map(({ number, mutant }) => [number, mutant])).toEqual(
      mutants.map((mutant) => [mutant.number, describeMutant(mutant)]),
    );
  });

  it.each(mutants)(
    'every edit of the mutant of $number matches the source exactly once, and changes it',
    ({ edits }) => {
      expect(edits.length).toBeGreaterThan(0);
      const texts = new Map<string, string>();
      for (const edit of edits) {
        expect(edit.file).toMatch(/^src\//);
        const before = texts.get(edit.file) ?? read(edit.file);
        const after = applyEdit(before, edit);
        expect(after).not.toBe(before);
        texts.set(edit.file, after);
      }
    },
  );
});

describe('README', () => {
  const text = read('README.md');

  it('is at most 150 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(150);
  });

  it('gives the commands to start and to test, and CI runs the same test command', () => {
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
