// The demo estate as a starting point: a separate database, copied from one of the templates.
import { afterAll, beforeAll, inject } from 'vitest';
import { buildEstate } from '../../src/demo/index.js';
import type { Gcos } from '../../src/index.js';
import { createDatabase, openDatabase, type TestDatabase } from './database.js';
import { openAt } from './open.js';
import { type EstateKind, provideTemplate } from './templates.js';

export { openAt };

/** Builds the estate and installs GCOS in the database at `url`. */
export async function prepareInstalled(url: string, options: { rows: number }): Promise<void> {
  const db = openDatabase(url);
  await buildEstate(db, options);
  await db.close();
  const gcos = await openAt(url);
  await gcos.init();
  await gcos.close();
}

export interface Estate extends TestDatabase {
  readonly gcos: Gcos;
}

async function copyOf(template: string, serverUrl: string): Promise<Estate> {
  const database = await createDatabase({ serverUrl, template });
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

/** A separate database with the estate in the state that `kind` names. */
export async function createEstate(kind: EstateKind, serverUrl = inject('serverUrl')): Promise<Estate> {
  return copyOf(await provideTemplate(serverUrl, kind), serverUrl);
}

export type CreateEstate = (kind: EstateKind) => Promise<Estate>;

/** Separate databases on a server that a file starts itself, with few births, to be cheap. */
export const createSmallEstate = async (kind: EstateKind, serverUrl: string): Promise<Estate> =>
  copyOf(await provideTemplate(serverUrl, kind, 2_000), serverUrl);

export interface PreparedEstate {
  /** A copy of the prepared estate, for one test. */
  copy(): Promise<Estate>;
}

/** Prepares an estate once for all tests of a file or block; `copy` returns a separate copy for a test. */
export function prepareEstate(
  kind: EstateKind,
  prepare: (estate: Estate) => Promise<unknown>,
): PreparedEstate {
  let template: TestDatabase | undefined;
  beforeAll(async () => {
    const serverUrl = inject('serverUrl');
    template = await createDatabase({ serverUrl, template: await provideTemplate(serverUrl, kind) });
    const gcos = await openAt(template.url);
    await prepare({ ...template, gcos });
    // PostgreSQL copies a database only while no session is connected to it.
    await gcos.close();
    await template.db.close();
  });
  afterAll(() => template?.close());
  return {
    copy: () => {
      if (template === undefined) throw new Error('nothing was prepared');
      return copyOf(template.name, inject('serverUrl'));
    },
  };
}
