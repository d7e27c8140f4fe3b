// Births that lack a column by which GCOS counts, on a host that allows that: they are set aside with a
// finding, stop nothing, and the ledger does not vouch for them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask, inShort } from '../support/gate.js';
import { wrongGroupsOf } from '../support/tail.js';

const KEYLESS = `
  insert into birth_registry (id, entity_code, collection_name, born_at, species_code) values
    (default, null, 'orders', now(), 'SP-ORDER'), (default, null, 'publishing_jobs', now(), 'SP-JOB'), (default, 'NO-COLLECTION', null, now(), null),
    (default, 'NO-TIME', 'orders', null, null), (null, 'NO-ID', 'orders', now(), 'SP-ORDER')`;

describe('births without a key', () => {
  let estate: Estate;
  const sql = (text: string) => asHost(estate.url, text);
  const findings = () =>
    sql(
      `select s.status, s.evidence_snapshot::jsonb #>> '{facts,births}' as births from system_issues s
       where s.issue_type = 'input_invalid_schema' and s.entity_code = 'birth_registry' order by s.id`,
    );
  const relax = () =>
    sql(
      `alter table birth_registry drop constraint birth_registry_pkey;
       alter table birth_registry alter column id drop not null, alter column entity_code drop not null,
         alter column collection_name drop not null, alter column born_at drop not null;
       create unique index on birth_registry (id)`,
    );
  const unverified = async () => {
    const { scopes } = await estate.gcos.ledgers.verify();
    return scopes.map((each) => each.unverifiedBy['key_missing'] ?? 0);
  };
  afterEach(() => estate?.close());

  describe('that arrive while GCOS watches', () => {
    beforeEach(async () => {
      estate = await createEstate('reconciled');
      await relax();
      await estate.gcos.intakes.once();
    });

    it('are set aside with a finding, which ends when the last one is corrected', async () => {
      await sql(KEYLESS);
      await estate.gcos.worker.once({ signal: new AbortController().signal, log: () => undefined });
      expect(await findings()).toEqual([{ status: 'open', births: '5' }]);
      expect(await wrongGroupsOf(estate.db)).toEqual([]);
      // A birth of another round is taken in beside them, and repeats nothing.
      await sql(
        `insert into birth_registry (entity_code, collection_name, born_at) values ('BESIDE', 'nobody_knows', now())`,
      );
      expect(await estate.gcos.intakes.once()).toMatchObject({ births: 1, setAside: 0 });
      expect(inShort(await ask(estate, { collection: 'orders', code: 'NO-ID' }))).toMatch('block');
      expect(await unverified()).toEqual(Array.from({ length: 6 }, () => 5));
      // A known birth loses its key: neither its id nor the number of births changes.
      await sql(
        `update birth_registry set entity_code = null where collection_name = 'article_revisions' and entity_code = 'AR-0000001'`,
      );
      await estate.gcos.intakes.once();
      expect(await wrongGroupsOf(estate.db)).toEqual([]);
      expect((await findings()).at(-1)).toMatchObject({ status: 'open' });
      expect(await unverified()).toEqual(Array.from({ length: 6 }, () => 6));
      await sql(
        `update birth_registry set entity_code = coalesce(entity_code, 'KEY-' || id), collection_name = coalesce(collection_name, 'orders'),
           born_at = coalesce(born_at, now()), id = coalesce(id, nextval(pg_get_serial_sequence('birth_registry', 'id')))
         where entity_code is null or collection_name is null or born_at is null or id is null`,
      );
      await estate.gcos.intakes.once();
      expect(await wrongGroupsOf(estate.db)).toEqual([]);
      expect((await findings()).at(-1)).toMatchObject({ status: 'resolved' });
      await estate.gcos.scans.run({ mode: 'incremental' });
      expect(await unverified()).toEqual(Array.from({ length: 6 }, () => 0));
    });
  });

  it('are set aside by a backfill and by a full scan, whose ledgers count them as unverified', async () => {
    estate = await createEstate('ruled');
    await relax();
    await sql(KEYLESS);
    const { proof } = await estate.gcos.backfills.run({});
    expect(proof).toMatchObject({ closed: true, omitted: 0n, duplicated: 0n });
    const { ledger } = await estate.gcos.scans.run({ mode: 'full' });
    expect(ledger?.closes).toBe(true);
    expect(ledger?.scopes.map((each) => each.unverifiedBy['key_missing'])).toEqual(
      Array.from({ length: 6 }, () => 5),
    );
    expect(await findings()).toEqual([{ status: 'open', births: '5' }]);
    await estate.gcos.intakes.once();
    // The exported ledger can be checked without GCOS.
    const { files } = await estate.gcos.ledgers.export();
    for (const { name, text } of files.filter((each) => each.name.endsWith('.sql')))
      expect([name, await sql(text)]).toEqual([name, []]);
  });
});
