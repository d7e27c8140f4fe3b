// The tables that GCOS can add to a host, and the scripts that remove them.
import { describe, expect, onTestFinished, test } from 'vitest';
import { estateTables } from '../../src/demo/index.js';
import withoutApprovals from '../../src/host/extension/approvals.reverse.sql.js';
import approvals from '../../src/host/extension/approvals.sql.js';
import withoutAxes from '../../src/host/extension/axes.reverse.sql.js';
import axes from '../../src/host/extension/axes.sql.js';
import withoutOwnership from '../../src/host/extension/ownership.reverse.sql.js';
import ownership from '../../src/host/extension/ownership.sql.js';
import withoutProfiles from '../../src/host/extension/profiles.reverse.sql.js';
import profiles from '../../src/host/extension/profiles.sql.js';
import { asHost, createDatabase, type TestDatabase } from '../support/database.js';
import { createEstate } from '../support/estate.js';

/** Creates an empty database for the running test. */
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  onTestFinished(() => database.close());
  return database;
}

/** The names of all relations in the schema. */
async function relationsIn(url: string): Promise<string[]> {
  const rows = await asHost(
    url,
    "select relname::text as name from pg_class where relnamespace = 'public'::regnamespace order by 1",
  );
  return rows.map((row) => String(row['name']));
}

describe('host extensions', () => {
  const extensions = { approvals, axes, ownership, profiles };
  const reverses = {
    approvals: withoutApprovals,
    axes: withoutAxes,
    ownership: withoutOwnership,
    profiles: withoutProfiles,
  };

  test.each(Object.keys(extensions) as (keyof typeof extensions)[])(
    '%s adds tables, and its reverse removes them',
    async (name) => {
      const { url } = await emptyDatabase();
      await asHost(url, extensions[name]);
      const added = await relationsIn(url);
      expect(added.some((relation) => (estateTables as readonly string[]).includes(relation))).toBe(true);
      await asHost(url, reverses[name]);
      expect(await relationsIn(url)).toEqual([]);
    },
  );

  test('ownership refuses a delegation without an end', async () => {
    const insert = `begin; insert into governance_object_ownership (object_type, object_ref, scope, owner_kind, owner_gov_code)
      values ('collection', 'tasks', 'policy', 'delegated', 'GOV-SIV')`;
    const estate = await createEstate('host');
    onTestFinished(() => estate.close());
    await expect(asHost(estate.url, insert)).rejects.toThrow(/delegation_ends/);
  });
});
