// Syncs killed at random moments, and two at once: what is there is always one complete reading, and no
// object is born twice. GCOS_SYNC_KILLS says how many kills; `npm run chaos -- sync-kill` takes 30.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, startCli } from '../support/cli.js';
import { createSourceHome, type SourceHome } from '../support/source-home.js';
import { until } from '../support/wait.js';

const KILLS = Number(process.env['GCOS_SYNC_KILLS'] ?? '10');
const DEADLINE_MS = 90_000 * KILLS;
const OBJECTS = 5_000;
let home: SourceHome;
const seed = Date.now() % 1_000_000;

/** A list of version `n`: each version changes every object and renames some. */
const list = (n: number): string => {
  const lines = ['id,team,key,version'];
  for (let i = 0; i < OBJECTS; i += 1) lines.push(`${i % 100 === 0 ? `r${n}-${i}` : `a${i}`},core,${i},${n}`);
  return `${lines.join('\n')}\n`;
};

beforeAll(async () => {
  home = await createSourceHome();
  const path = home.write('k.csv', list(0));
  await home.json(
    ...['source', 'add', 'k', 'file', path, '--class', 'asset', '--code', 'id', '--identity', 'key'],
    ...['--link', 'owner=team'],
  );
  await home.json('source', 'sync', 'k');
});
afterAll(() => home.close());

/** The version that is there; fails unless it is one version, complete, with a birth for each object. */
async function whole(): Promise<number> {
  const [row] = await home.sql(
    `select count(*)::int as objects, min(attributes ->> 'version') as low, max(attributes ->> 'version') as high
     from k_asset where status = 'active'`,
  );
  const [births] = await home.sql(
    `select count(*)::int as births, count(distinct entity_code)::int as codes,
       count(*) filter (where b.status = 'born')::int as born,
       count(*) filter (where (b.status = 'born') is distinct from (m.status = 'active'))::int as differing
     from birth_registry b full join k_asset m on m.code = b.entity_code`,
  );
  expect(row).toMatchObject({ objects: OBJECTS });
  expect(row?.['low']).toBe(row?.['high']);
  expect(births).toMatchObject({ codes: births?.['births'], born: OBJECTS, differing: 0 });
  return Number(row?.['low']);
}

it(
  `is killed ${KILLS} times at random moments and leaves one complete reading (seed ${seed})`,
  async () => {
    let state = seed || 1;
    const random = (): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
    const env = { DATABASE_URL: home.url };
    const started = performance.now();
    home.write('k.csv', list(1));
    expect((await runCli(['source', 'sync', 'k', '--quiet'], { env })).exit).toBe(0);
    const took = performance.now() - started;
    let ended = 0;
    for (let n = 2; n < KILLS + 2; n += 1) {
      const before = await whole();
      home.write('k.csv', list(n));
      const { child, done } = startCli(['source', 'sync', 'k', '--quiet'], { env });
      const timer = setTimeout(() => child.kill('SIGKILL'), took * (0.1 + 1.1 * random()));
      const { exit } = await done;
      clearTimeout(timer);
      if (exit === 0) ended += 1;
      await until('the server has noticed', async () => {
        const rows = await home.sql(
          `select from pg_stat_activity where datname = current_database() and application_name = 'gcos' and state <> 'idle'`,
        );
        return rows.length === 0;
      });
      expect([before, n]).toContain(await whole());
    }
    console.log(`${KILLS - ended} of ${KILLS} syncs were killed before their end`);
    expect(ended).toBeLessThan(KILLS);
  },
  DEADLINE_MS,
);

it('runs once at a time: of two at once, one is refused or finds nothing to do', async () => {
  const env = { DATABASE_URL: home.url };
  home.write('k.csv', list(99));
  const both = await Promise.all([1, 2, 3].map(() => runCli(['source', 'sync', 'k', '--json'], { env })));
  const codes = both.map(({ exit, stdout }) =>
    exit === 0 ? 'done' : (JSON.parse(stdout) as { error: { code: string } }).error.code,
  );
  expect(codes).toContain('done');
  expect(codes.filter((code) => code !== 'done' && code !== 'source_busy')).toEqual([]);
  expect(await whole()).toBe(99);
  expect((await home.json('source', 'list'))['sources']).toMatchObject([{ failure: null }]);
});
