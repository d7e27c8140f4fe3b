// The demo estate as a starting point: built once per suite as a template, cloned per file.
import { buildEstate } from '../../src/demo/index.js';
import { type Gcos, loadConfig, openGcos } from '../../src/index.js';
import { asHost, createDatabase, openDatabase, type TestDatabase, urlFor } from './database.js';
import { putRulesIntoForce } from './ruleset-in-force.js';

/** The host alone; with GCOS installed; with its rules in force; and with a backfill completed under them. */
export const TEMPLATES = {
  host: 'template_host',
  installed: 'template_installed',
  ruled: 'template_ruled',
  backfilled: 'template_backfilled',
} as const;
export const TEMPLATE_ROWS = 20_000;

/** GCOS over the database at `url`, as a command would open it. */
export function openAt(url: string, environment: Record<string, string> = {}): Promise<Gcos> {
  return openGcos(loadConfig({ DATABASE_URL: url, GCOS_STATEMENT_TIMEOUT: '30s', ...environment }, '/'));
}

/** Builds the estate and installs GCOS in the database at `url`. */
export async function prepareInstalled(url: string, options: { rows: number }): Promise<void> {
  const db = openDatabase(url);
  await buildEstate(db, options);
  await db.close();
  const gcos = await openAt(url);
  await gcos.init();
  await gcos.close();
}

/** Builds the templates on the suite's server, each from the one before it. */
export async function buildTemplates(serverUrl: string): Promise<void> {
  await asHost(serverUrl, `create database ${TEMPLATES.host} template template0`);
  const db = openDatabase(urlFor(serverUrl, { database: TEMPLATES.host }));
  await buildEstate(db, { rows: TEMPLATE_ROWS });
  await db.close();
  const next = async (kind: keyof typeof TEMPLATES, from: keyof typeof TEMPLATES, add: AddTo) => {
    await asHost(serverUrl, `create database ${TEMPLATES[kind]} template ${TEMPLATES[from]}`);
    const gcos = await openAt(urlFor(serverUrl, { database: TEMPLATES[kind] }));
    await add(gcos);
    await gcos.close();
  };
  await next('installed', 'host', (gcos) => gcos.init());
  await next('ruled', 'installed', putRulesIntoForce);
  await next('backfilled', 'ruled', (gcos) => gcos.backfills.run({}));
}
type AddTo = (gcos: Gcos) => Promise<unknown>;

export interface Estate extends TestDatabase {
  readonly gcos: Gcos;
}

/** A database of its own with the estate in it, with or without GCOS installed. */
export async function createEstate(kind: keyof typeof TEMPLATES): Promise<Estate> {
  const database = await createDatabase({ template: TEMPLATES[kind] });
  const gcos = await openAt(database.url);
  return {
    ...database,
    gcos,
    async close() {
      await gcos.close();
      await database.close();
    },
  };
}
