// The estates that tests start from, as template databases. The first test that needs one builds it; every
// test gets a copy.
import pg from 'pg';
import { buildEstate } from '../../src/demo/index.js';
import { asHost, openDatabase, ROLE_PASSWORD, urlFor } from './database.js';
import { cover, judge } from './judged.js';
import { openAt } from './open.js';
import { putRulesIntoForce } from './ruleset-in-force.js';

export type EstateKind =
  | 'host'
  | 'installed'
  | 'ruled'
  | 'judged'
  | 'backfilled'
  | 'followed'
  | 'covered'
  | 'scanned'
  | 'reconciled';

export const TEMPLATE_ROWS = 20_000;

interface Recipe {
  /** The estate to copy; undefined for an empty database. */
  readonly from?: EstateKind;
  /** Changes the copy at `url`. */
  add(url: string, rows: number): Promise<void>;
}

/** Opens GCOS and the database at `url` for the duration of `work`. */
async function withEstate(
  url: string,
  work: (estate: Parameters<typeof judge>[0]) => Promise<unknown>,
): Promise<void> {
  const gcos = await openAt(url);
  const db = openDatabase(url);
  try {
    await work({ gcos, db, url });
  } finally {
    await db.close();
    await gcos.close();
  }
}

const RECIPES: Readonly<Record<EstateKind, Recipe>> = {
  /** The host alone: 20,000 births. */
  host: {
    async add(url, rows) {
      const db = openDatabase(url);
      await buildEstate(db, { rows });
      await db.close();
    },
  },
  /** GCOS is installed and has not run. */
  installed: {
    from: 'host',
    add: (url) =>
      withEstate(url, async ({ gcos }) => {
        await gcos.init();
        // Roles belong to the whole server: two tests that set a password at the same time would conflict.
        for (const role of ['worker', 'api', 'server', 'reader', 'pruner'])
          await asHost(url, `alter role gcos_${role} password '${ROLE_PASSWORD}'`);
      }),
  },
  /** A ruleset is active. */
  ruled: { from: 'installed', add: (url) => withEstate(url, ({ gcos }) => putRulesIntoForce(gcos)) },
  /** Every group and object has a verdict; no run has been completed. */
  judged: { from: 'ruled', add: (url) => withEstate(url, judge) },
  /** A backfill is complete and has closed a ledger. */
  backfilled: { from: 'ruled', add: (url) => withEstate(url, ({ gcos }) => gcos.backfills.run({})) },
  /** After a backfill, the intake has run once. The interval of its heartbeat is longer than any test. */
  followed: {
    from: 'backfilled',
    add: (url) =>
      withEstate(url, async ({ gcos }) => {
        await asHost(
          url,
          `update governance_setting set setting_value = '{"seconds": 86400}' where setting_key = 'intake.heartbeat'`,
        );
        await gcos.intakes.once();
      }),
  },
  /** After a backfill, coverage was evaluated once, as if an intake had watched; no scan has run. */
  covered: {
    from: 'backfilled',
    add: (url) =>
      withEstate(url, async (estate) => {
        await cover(estate, 'cover-1');
        await asHost(
          url,
          `insert into gov_intake_watch (source, watched_at) values ('birth_registry', now()) on conflict (source) do update set watched_at = excluded.watched_at`,
        );
      }),
  },
  /** After a backfill, a full scan is complete. */
  scanned: {
    from: 'backfilled',
    add: (url) => withEstate(url, ({ gcos }) => gcos.scans.run({ mode: 'full' })),
  },
  /** After a full scan, no work is pending. Scans start without delay, and never widen to all groups. */
  reconciled: {
    from: 'scanned',
    add: (url) =>
      withEstate(url, async ({ gcos }) => {
        await asHost(
          url,
          `update governance_setting set setting_value = '{"seconds": 86400}' where setting_key = 'intake.heartbeat';
           update governance_setting set setting_value = '{"debounce_ms": 0, "at_once": 500, "full_share": 1}' where setting_key = 'scan.pace'`,
        );
        await gcos.intakes.once();
        await gcos.scans.run({ mode: 'incremental' });
      }),
  },
};

const nameOf = (kind: EstateKind): string => `template_${kind}`;

async function build(client: pg.Client, serverUrl: string, kind: EstateKind, rows: number): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [
    nameOf(kind),
  ]);
  if (rowCount === 1) return;
  const { from, add } = RECIPES[kind];
  if (from !== undefined) await build(client, serverUrl, from, rows);
  // An earlier attempt may have failed.
  await client.query(`drop database if exists ${nameOf(kind)} with (force)`);
  await client.query(
    `create database ${nameOf(kind)} template ${from === undefined ? 'template0' : nameOf(from)}`,
  );
  await add(urlFor(serverUrl, { database: nameOf(kind) }), rows);
  await client.query(`alter database ${nameOf(kind)} is_template true`);
}

/** The name of the template on the server. The first caller builds the template; other callers wait. */
export async function provideTemplate(
  serverUrl: string,
  kind: EstateKind,
  rows = TEMPLATE_ROWS,
): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [
      nameOf(kind),
    ]);
    if (rowCount !== 1) {
      await client.query("select pg_advisory_lock(hashtext('templates of the suite'))");
      await build(client, serverUrl, kind, rows);
    }
    return nameOf(kind);
  } finally {
    await client.end();
  }
}
