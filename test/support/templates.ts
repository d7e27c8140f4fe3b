// The estates that tests start from. Each is a database that the first test which needs it builds; every test gets a copy of its own.
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
  /** What it is a copy of; nothing: an empty database. */
  readonly from?: EstateKind;
  /** What is added to that copy, which is at `url`. */
  add(url: string): Promise<void>;
}

/** Opens GCOS at `url` and the database beside it, for as long as `work` takes. */
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
  /** The host alone, with 20,000 births. */
  host: {
    async add(url) {
      const db = openDatabase(url);
      await buildEstate(db, { rows: TEMPLATE_ROWS });
      await db.close();
    },
  },
  /** GCOS is installed, and has looked at nothing. */
  installed: {
    from: 'host',
    add: (url) =>
      withEstate(url, async ({ gcos }) => {
        await gcos.init();
        // Roles are of the whole server: two tests that gave one a password at the same moment would get in each other's way.
        for (const role of ['worker', 'api', 'reader', 'pruner'])
          await asHost(url, `alter role gcos_${role} password '${ROLE_PASSWORD}'`);
      }),
  },
  /** A ruleset is in force. */
  ruled: { from: 'installed', add: (url) => withEstate(url, ({ gcos }) => putRulesIntoForce(gcos)) },
  /** Every group and object has a verdict; no run has been completed. */
  judged: { from: 'ruled', add: (url) => withEstate(url, judge) },
  /** A backfill is complete, and has closed a ledger. */
  backfilled: { from: 'ruled', add: (url) => withEstate(url, ({ gcos }) => gcos.backfills.run({})) },
  /** After a backfill, the intake has run once. No interval of its heartbeat ends in the middle of a test. */
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
  /** After a backfill, coverage was evaluated once; no scan has run. */
  covered: { from: 'backfilled', add: (url) => withEstate(url, (estate) => cover(estate, 'cover-1')) },
  /** After a backfill, a full scan is complete. */
  scanned: {
    from: 'backfilled',
    add: (url) => withEstate(url, ({ gcos }) => gcos.scans.run({ mode: 'full' })),
  },
  /** After a full scan, intake and scan have nothing left to do; what changes next is scanned without delay, and by itself. */
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

async function build(client: pg.Client, serverUrl: string, kind: EstateKind): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [
    nameOf(kind),
  ]);
  if (rowCount === 1) return;
  const { from, add } = RECIPES[kind];
  if (from !== undefined) await build(client, serverUrl, from);
  // An earlier attempt may have failed half way.
  await client.query(`drop database if exists ${nameOf(kind)} with (force)`);
  await client.query(
    `create database ${nameOf(kind)} template ${from === undefined ? 'template0' : nameOf(from)}`,
  );
  await add(urlFor(serverUrl, { database: nameOf(kind) }));
  await client.query(`alter database ${nameOf(kind)} is_template true`);
}

/** The name of the template on that server. The first caller builds it; others wait meanwhile. */
export async function provideTemplate(serverUrl: string, kind: EstateKind): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [
      nameOf(kind),
    ]);
    if (rowCount !== 1) {
      await client.query("select pg_advisory_lock(hashtext('templates of the suite'))");
      await build(client, serverUrl, kind);
    }
    return nameOf(kind);
  } finally {
    await client.end();
  }
}
