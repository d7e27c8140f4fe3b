// The export of a ledger: files whose hashes an auditor can verify, and SQL that finds differences, run by a
// plain client with a read-only login.

import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toWire } from '../../src/kernel/index.js';
import { AUDIT_FILES, NOTHING_DIFFERS, runAudit } from '../support/audit.js';
import { runCli } from '../support/cli.js';
import { asHost, urlFor } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { createPeople, type People } from '../support/people.js';

const HOST_ONLY = AUDIT_FILES.slice(0, 2);

const sha256 = (...parts: (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

describe('an exported ledger', () => {
  let estate: Estate;
  let people: People;
  let readerUrl: string;
  let home: string;
  let out: string;
  const sql = (text: string) => asHost(estate.url, text);
  const run = (...args: string[]) => runCli([...args, '--database-url', estate.url]);
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'gcos-export-'));
    out = join(home, 'audit', 'ledger');
    estate = await createEstate('backfilled');
    people = createPeople(estate.url);
    readerUrl = (await people.login('auditor', 'gcos_reader')).url;
    const written = await run('ledger', 'export', '--out', out);
    expect(written.exit, written.stderr).toBe(0);
  });
  afterEach(async () => {
    rmSync(home, { recursive: true });
    await people.close();
    await estate.close();
  });
  const read = (name: string) => readFileSync(join(out, name));

  it('matches its manifest, and hashes to the ruleset and the snapshot of the closing run', async () => {
    const manifest = JSON.parse(read('manifest.json').toString()) as Record<string, unknown> & {
      files: { name: string; sha256: string; bytes: number }[];
    };
    expect(readdirSync(out).sort()).toEqual(
      [...manifest.files.map((file) => file.name), 'manifest.json'].sort(),
    );
    for (const file of manifest.files)
      expect([file.sha256, file.bytes]).toEqual([sha256(read(file.name)), read(file.name).length]);
    const shown = await estate.gcos.ledgers.show();
    expect(manifest).toMatchObject({
      run_id: shown.runId,
      closed_at: toWire(shown.closedAt),
      schema: 'public',
    });

    // The steps of README.txt.
    const ruleset = sha256('gcos-ruleset\0', read('ruleset.canonical.json'));
    expect(ruleset).toBe(manifest['ruleset_hash']);
    expect(manifest['ruleset_version']).toBe(`gov-rs-${ruleset.slice(0, 12)}`);
    const [stored] = await sql(
      `select canonical_bytes from governance_ruleset where ruleset_version = '${shown.rulesetVersion}'`,
    );
    expect(read('ruleset.canonical.json').equals(stored?.['canonical_bytes'] as Buffer)).toBe(true);
    expect(sha256('gcos-snapshot\0', read('snapshot.canonical.json'))).toBe(manifest['snapshot_identity']);
    const { document } = await estate.gcos.snapshots.show(shown.snapshot ?? 0n);
    expect(JSON.parse(read('snapshot.json').toString())).toEqual(document);
    expect(manifest['snapshot_identity']).toBe(document.identity);
    expect(JSON.parse(read('ledger.json').toString())).toMatchObject({
      closes: true,
      scopes: toWire(shown.scopes),
    });
  });

  it('matches the database: every SQL file finds nothing, with a read-only login', async () => {
    expect(await runAudit(readerUrl, out)).toEqual(NOTHING_DIFFERS);
  });

  it('can be checked against the host without a privilege on any table of GCOS', async () => {
    await sql(`create role host_auditor_${estate.name} login password 'only-for-this-test'`);
    try {
      await sql(
        `do $$ declare t text; begin
           for t in select quote_ident(relname) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
             and pg_get_userbyid(relowner) not in ('gcos_owner', 'gcos_trust_owner') loop execute 'grant select on ' || t || ' to host_auditor_${estate.name}'; end loop;
         end $$`,
      );
      const url = urlFor(estate.url, {
        user: `host_auditor_${estate.name}`,
        password: 'only-for-this-test',
      });
      expect(await runAudit(url, out, HOST_ONLY)).toEqual({
        '01-fingerprints.sql': [],
        '02-inventory.sql': [],
      });
      await expect(runAudit(url, out, ['03-both-sides.sql'])).rejects.toThrow(/permission denied/);
    } finally {
      await sql(`drop owned by host_auditor_${estate.name}; drop role host_auditor_${estate.name}`);
    }
  });

  it('is shown per owner: the units of all owners and the unowned units add up to the whole', async () => {
    const owners = await asHost(
      estate.url,
      `select distinct owner_scope as o from governance_candidate_state union select distinct owner_scope from governance_candidate_object`,
    );
    const named = owners.flatMap((row) => (row['o'] === null ? [] : [String(row['o'])]));
    expect(named.length).toBeGreaterThan(1);
    const shown = await Promise.all(
      named.map((owner) => estate.gcos.ledgers.show({ owner, scope: 'audit' })),
    );
    const [ledger] = (await estate.gcos.ledgers.verify({ scope: 'audit' })).scopes;
    const [unowned] = await asHost(
      estate.url,
      `select count(*)::int as n from (
         select 1 from governance_candidate_state where weight = 1 and row_state = 'active' and scope = 'audit' and owner_scope is null
         union all
         select 1 from governance_candidate_object where weight = 1 and row_state = 'active' and scope = 'audit' and owner_scope is null) u`,
    );
    const units = shown.flatMap((each) =>
      (each.owned?.scopes ?? []).map((scope) => scope.total + scope.notRelevant),
    );
    expect(units.reduce((sum, each) => sum + each, 0) + Number(unowned?.['n'])).toBe(ledger?.inventory);
    expect(shown.flatMap((each) => (each.owned?.scopes ?? []).map((scope) => scope.scope))).toEqual(
      units.map(() => 'audit'),
    );
    const show = (...args: string[]) => run('ledger', 'show', ...args);
    const [table, unknownOwner, whole] = await Promise.all([
      show('--owner', named[0] ?? ''),
      show('--owner', 'GOV-NOBODY'),
      show(),
    ]);
    expect(table.exit, table.stderr).toBe(0);
    expect(table.stdout).toMatch(/^the units .* owns at .* verified$/m);
    expect(unknownOwner.exit).toBe(3);
    expect(unknownOwner.stderr).toContain('`GOV-NOBODY`');
    expect(whole.stdout).toMatch(/^\d+\.\d % of [\d,]+ verified, over 6 scopes$/m);
  });

  it('names the group of a birth and the group of a row that were changed by hand', async () => {
    const [birth] = await sql(
      `update birth_registry set governance_role = 'changed by hand'
       where id = (select min(id) from birth_registry where collection_name = 'orders') returning collection_name, species_code, status`,
    );
    const [row] = await sql(
      `update governance_candidate_object set row_state = 'superseded'
       where row_id = (select min(row_id) from governance_candidate_object
         where row_state = 'active' and weight = 1 and scope = 'audit' and collection_name = 'dot_tools')
       returning inventory_key, scope, entity_code`,
    );
    const found = await runAudit(readerUrl, out);
    expect(found['01-fingerprints.sql']).toMatchObject([
      { source_registry: 'orders', lifecycle_status: birth?.['status'] },
    ]);
    const [fingerprint] = found['01-fingerprints.sql'] ?? [];
    expect(fingerprint?.['births_found']).toBe(fingerprint?.['births_expected']);
    expect(fingerprint?.['h1_found']).not.toBe(fingerprint?.['h1_expected']);
    expect(fingerprint?.['h2_found']).toBe(fingerprint?.['h2_expected']);
    expect(found['02-inventory.sql']).toEqual([]);
    expect(found['03-both-sides.sql']).toMatchObject([
      { scope: 'audit', source_registry: 'dot_tools', object_class: 'dot_tool', same_keys: false },
    ]);
    const [both] = found['03-both-sides.sql'] ?? [];
    expect(Number(both?.['there']) - Number(both?.['accounted_for'])).toBe(1);
    expect(found['04-terms.sql']).toMatchObject([{ scope: 'audit' }]);

    // Another object in its place: the counts agree, the keys differ.
    await sql(
      `update governance_candidate_object set entity_code = 'NOT-THE-ONE', row_state = 'active'
       where inventory_key = '${row?.['inventory_key']}' and scope = 'audit' and entity_code = '${row?.['entity_code']}'`,
    );
    const swapped = await runAudit(readerUrl, out, ['03-both-sides.sql']);
    expect(swapped['03-both-sides.sql']).toMatchObject([{ scope: 'audit', same_keys: false }]);
    const [one] = swapped['03-both-sides.sql'] ?? [];
    expect(one?.['there']).toBe(one?.['accounted_for']);

    await sql(
      `update governance_candidate_object set entity_code = '${row?.['entity_code']}' where entity_code = 'NOT-THE-ONE';
       delete from birth_registry where id = (select max(id) from birth_registry where collection_name = 'dot_tools')`,
    );
    const fewer = await runAudit(readerUrl, out);
    expect(fewer['01-fingerprints.sql']?.map((each) => each['source_registry']).sort()).toEqual([
      'dot_tools',
      'orders',
    ]);
  });

  it('never overwrites files, and requires a closed ledger', async () => {
    const full = join(home, 'full');
    rmSync(full, { recursive: true, force: true });
    const again = await run('ledger', 'export', '--out', out);
    expect(again.exit).toBe(3);
    expect(again.stderr).toContain('is not empty');
    writeFileSync(join(home, 'a-file'), '');
    expect((await run('ledger', 'export', '--out', join(home, 'a-file'))).exit).toBe(3);
    await sql('update candidate_scan_run set ledger = null');
    const none = await run('ledger', 'export', '--out', full);
    expect(none.exit).toBe(2);
    expect(readdirSync(home)).not.toContain('full');
  });
});
