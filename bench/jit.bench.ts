// A stock server has JIT on: the commands of an operator on it, beside the same commands in sessions whose
// default is off. Every transaction of GCOS switches JIT off, so both sides must take the same time. Needs
// Debian's PostgreSQL 15.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gcos } from '../src/index.js';
import { asHost, createDatabase } from '../test/support/database.js';
import { createEstate, type Estate, openAt } from '../test/support/estate.js';
import { findDebianBinaries, startServer, type TestServer } from '../test/support/server.js';
import { provideTemplate } from '../test/support/templates.js';
import { fastest, report, timed } from './measure.js';

const GOAL = 1.1;
const ROUNDS = Number(process.env['GCOS_BENCH_ROUNDS'] ?? '31');
const SIDES = ['on', 'off'] as const;
type Side = (typeof SIDES)[number];

const binaries = findDebianBinaries();
if (binaries === undefined) console.warn("skipped: needs Debian's PostgreSQL 15 (apt install postgresql-15)");

/** The URL with a session default, as an operator or a role of the host may have it. */
const withJit = (url: string, side: Side): string => `${url}?options=${encodeURIComponent(`-c jit=${side}`)}`;

/** Takes turns, each side first in every other round, so that other load on the machine affects both. */
async function compare(what: string, rounds: number, work: (side: Side) => Promise<number>): Promise<void> {
  const taken: Record<Side, number[]> = { on: [], off: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const side of round % 2 ? SIDES : SIDES.toReversed()) taken[side].push(await work(side));
  const ratio = report(
    `${what}, fastest tenth of ${rounds}`,
    { what: 'JIT on', ms: fastest(taken.on) },
    { what: 'JIT off', ms: fastest(taken.off) },
    GOAL,
  );
  expect.soft(ratio, what).toBeLessThanOrEqual(GOAL);
}

describe.skipIf(binaries === undefined)('with the default settings of JIT', () => {
  let server: TestServer;
  let estate: Estate;
  let gcos: Record<Side, Gcos>;
  beforeAll(async () => {
    if (binaries === undefined) return;
    server = await startServer({ binaries, settings: { jit: 'on' } });
    estate = await createEstate('scanned', server.url);
    await asHost(estate.url, 'vacuum analyze');
    gcos = {
      on: await openAt(withJit(estate.url, 'on')),
      off: await openAt(withJit(estate.url, 'off')),
    };
    expect(await asHost(withJit(estate.url, 'off'), 'show jit')).toEqual([{ jit: 'off' }]);
    expect(await asHost(estate.url, 'show jit_above_cost')).toEqual([{ jit_above_cost: '100000' }]);
  });
  afterAll(async () => {
    for (const side of SIDES) await gcos?.[side].close();
    await estate?.close();
    await server?.stop();
  });

  const tool = [{ collection: 'dot_tools', code: 'DOT-117' }];
  const commands: readonly (readonly [string, (of: Gcos) => Promise<unknown>])[] = [
    ['status', (of) => of.status()],
    ['ledger show', (of) => of.ledgers.show()],
    ['gate check', (of) => of.gates.check(tool)],
    ['finding list --by-fix', (of) => of.fixes.list()],
  ];
  for (const [name, run] of commands)
    it(name, () => compare(name, 4 * ROUNDS, (side) => timed(() => run(gcos[side]))));

  it('full scan', () =>
    compare('full scan', Math.ceil(ROUNDS / 3), (side) =>
      timed(() => gcos[side].scans.run({ mode: 'full' })),
    ));

  it('backfill', async () => {
    const template = await provideTemplate(server.url, 'ruled');
    await compare('backfill', Math.ceil(ROUNDS / 3), async (side) => {
      const database = await createDatabase({ template, serverUrl: server.url });
      await database.db.close();
      const own = await openAt(withJit(database.url, side));
      const ms = await timed(() => own.backfills.run({}));
      await own.close();
      await database.close();
      return ms;
    });
  });
});
