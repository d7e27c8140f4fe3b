// A verdict whose snapshot was deleted is due at once: an incremental scan raises the finding, renews the
// verdict under a snapshot that exists, and resolves the finding.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask, inShort } from '../support/gate.js';

const TOOL = { collection: 'dot_tools', code: 'DOT-118' };

describe('a snapshot that was deleted', () => {
  let estate: Estate;
  const sql = (text: string) => asHost(estate.url, text);
  const finding = () =>
    sql(
      `select status from system_issues where issue_type = 'snapshot_ref_dangling' order by id desc limit 1`,
    );
  beforeEach(async () => {
    estate = await createEstate('reconciled');
  });
  afterEach(() => estate.close());

  it('blocks, and the next incremental scan of the worker resolves it', async () => {
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    await sql(
      `delete from evolution_snapshots where id in (select source_snapshot_ref from governance_candidate_object
         where entity_code = 'DOT-118')`,
    );
    expect(inShort(await ask(estate, TOOL))).toBe('block dangling_snapshot');
    const log = () => undefined;
    await estate.gcos.worker.once({ signal: new AbortController().signal, log, duties: ['scanner'] });
    expect(inShort(await ask(estate, TOOL))).toBe('allow');
    expect(await finding()).toEqual([{ status: 'resolved' }]);
    expect(
      await sql(
        `select count(*)::int as rows from governance_candidate_object o where row_state = 'active'
           and not exists (select from evolution_snapshots s where s.id = o.source_snapshot_ref)`,
      ),
    ).toEqual([{ rows: 0 }]);
  });
});
