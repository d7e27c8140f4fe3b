// A release that is in order is answered on a short way: it must say what the long one says.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { ask, inShort } from '../support/gate.js';
import { cover } from '../support/judged.js';

describe('a release', () => {
  let estate: Estate;
  const sql = (text: string) => asHost(estate.url, text);
  beforeAll(async () => {
    estate = await createEstate('backfilled');
    await cover(estate, 'cover-1');
  });
  afterAll(() => estate.close());

  it('answers a release that is in order as it answers each of it, and finds the one that is not', async () => {
    const tools = await sql(
      `select entity_code from governance_candidate_object where collection_name = 'dot_tools' and row_state = 'active' group by 1
       having bool_and(candidate_verdict = 'not_relevant' or coverage_outcome = 'covered') order by 1 limit 60`,
    );
    const items = tools
      .map((row) => ({ collection: 'dot_tools', code: String(row['entity_code']) }))
      .filter((each) => each.code !== 'DOT-240' && each.code !== 'DOT-241');
    const release = await estate.gcos.gates.check(items);
    expect(release.answer).toBe('allow');
    for (const each of release.decisions.slice(0, 10)) expect(await ask(estate, each.subject)).toEqual(each);
    const last = items.at(-1)?.code;
    const one = `collection_name = 'dot_tools' and entity_code = '${last}' and scope = 'audit'`;
    await sql(`update governance_candidate_object set recompute_status = 'failed' where ${one}`);
    const stopped = await estate.gcos.gates.check(items);
    expect(stopped.decisions.filter((each) => each.answer !== 'allow').map(inShort)).toEqual([
      'block recompute_failed',
    ]);
    expect(stopped.decisions.slice(0, -1)).toEqual(release.decisions.slice(0, -1));
    await sql(`update governance_candidate_object set recompute_status = 'ok' where ${one}`);
  });

  it('takes a short way only where the long one would say the same', async () => {
    expect(
      await sql(
        `select v.verdict, o.outcome, n.stage
         from unnest(array['relevant', 'not_relevant', 'class_0', 'deferred_birth', 'retired', 'needs_input', 'unknown']) as v(verdict)
         cross join unnest(array['covered', 'orphan', 'exception', 'not_evaluated', null]) as o(outcome)
         cross join unnest(array['a run', null]) as r(scan_ref) cross join unnest(array['design', 'impl', 'route', 'prod']) as n(stage)
         cross join unnest(array['GOV-SIV', null]) as w(owner) cross join unnest(array['PRF-001', null]) as p(profile)
         where gcos_gate_plain(v.verdict, r.scan_ref, o.outcome) and cardinality(gcos_gate_codes(n.stage, v.verdict, null, null,
           v.verdict = 'relevant', r.scan_ref is not null, o.outcome, null, w.owner, p.profile)) > 0`,
      ),
    ).toEqual([]);
    expect(
      await sql(
        `select entity_code from birth_registry
         where gcos_gate_key(collection_name, entity_code) <> gcos_object_key(collection_name, entity_code) limit 1`,
      ),
    ).toEqual([]);
  });
});
