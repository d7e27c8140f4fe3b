// docs/operations.md covers every type of finding, and names only commands and errors that exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildProgram } from '../src/cli/program.js';
import { errorKinds } from '../src/index.js';
import { checkout } from './support/cli.js';

const page = readFileSync(join(checkout, 'docs/operations.md'), 'utf8');
const catalogue = readFileSync(join(checkout, 'docs/findings.md'), 'utf8').split('## Catalogue')[1] ?? '';
const alerts = [...catalogue.matchAll(/^\| `(\w+)` \|/gm)].map(([, type]) => type ?? '');

it('covers every type of finding', () => {
  expect(alerts.length).toBeGreaterThan(50);
  const covered = new Set(
    [...(page.split('## Every alert')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, word]) => word),
  );
  expect(alerts.filter((type) => !covered.has(type))).toEqual([]);
});

it('names only commands that exist', () => {
  const program = buildProgram();
  const named = [...page.matchAll(/`gcos ([a-z]+)(?: ([a-z-]+))?/g)];
  expect(named.length).toBeGreaterThan(30);
  for (const [whole, first, second] of named) {
    const command = program.commands.find((each) => each.name() === first);
    expect(command, whole).toBeDefined();
    if (command !== undefined && command.commands.length > 0)
      expect(
        command.commands.map((each) => each.name()),
        whole,
      ).toContain(second);
  }
});

it('names only errors that exist', () => {
  const rows = (page.split('## When something is wrong')[1] ?? '').split('## Every alert')[0] ?? '';
  const named = [...rows.matchAll(/^\| [^|]*\|/gm)].flatMap(([cell]) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code ?? ''),
  );
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((code) => !Object.keys(errorKinds).includes(code))).toEqual([]);
});
