// Activation of a ruleset: one ruleset is active per family, also with concurrent activations and after a
// kill at any point.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ActivationRequest, activateRuleset } from '../../src/rule/ruleset/index.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { evidence } from '../support/evidence.js';
import { createPeople, type People, type Person } from '../support/people.js';
import {
  approvedRequest,
  createQuorum,
  draftAnother,
  editFor,
  PLAN_HASH,
  type Quorum,
} from '../support/ruleset.js';
import { until } from '../support/wait.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

const LAWS = ['normative_registry', 'law_catalog', 'governance_docs'];

describe('activation of a ruleset', () => {
  let estate: Estate;
  let people: People;
  let quorum: Quorum;
  let active: string;
  let marks: number;
  beforeEach(async () => {
    marks = 0;
    estate = await createEstate('installed');
    people = createPeople(estate.url);
    quorum = await createQuorum(people);
    active = await draft();
    await activate(await stepTo(active, null));
  });
  afterEach(async () => {
    await people?.close();
    await estate?.close();
  });

  const host = (sql: string) => asHost(estate.url, sql);
  const draft = () => {
    marks += 1;
    return draftAnother(estate, `mark ${marks}`);
  };
  type Step = ActivationRequest;
  const stepTo = async (version: string, from: string | null = active): Promise<Step> => ({
    version,
    approvalRef: await approvedRequest(quorum, version, from),
  });
  const activate = (step: Step, who: Pick<Person, 'gcos'> = quorum.proposer) =>
    who.gcos.db.transaction({ isolation: 'read committed' }, (tx) => activateRuleset(tx, step));
  const audits = (version: string) =>
    host(`select action, changed_by, alert_detail from registry_changelog
      where entity_type = 'governance_ruleset' and entity_code = '${version}' order by id`);

  /** INVARIANT: only the ruleset of the last activation is active, and each activation has an audit row. */
  async function expectConsistent(): Promise<string | null> {
    const [state] = await host(`select
        (select count(*)::int from governance_ruleset where status = 'active') as active,
        (select ruleset_version from governance_ruleset where status = 'active') as version,
        (select ruleset_version from governance_ruleset_activation order by id desc limit 1) as latest,
        (select count(*)::int from governance_ruleset_activation) as activations,
        (select count(*)::int from governance_ruleset_activation where supersedes is not null) as supersessions,
        (select count(*)::int from registry_changelog where entity_type = 'governance_ruleset' and action = 'activate') as activate_rows,
        (select count(*)::int from registry_changelog where entity_type = 'governance_ruleset' and action = 'supersede') as supersede_rows,
        (select count(*)::int from governance_ruleset where status <> 'draft' and activated_at is null) as undated`);
    expect(state).toMatchObject({
      active: state?.['activations'] === 0 ? 0 : 1,
      version: state?.['latest'],
      activate_rows: state?.['activations'],
      supersede_rows: state?.['supersessions'],
      undated: 0,
    });
    return (state?.['version'] as string | null) ?? null;
  }

  it('seed 38 §38.10 test 4, no law version-bump: the law tables are byte-identical across draft and activation', async () => {
    const digestLaws = async () =>
      Promise.all(
        LAWS.map((table) =>
          host(
            `select count(*)::int as n, md5(string_agg(t::text || ' ' || t.xmin::text || ' ' || t.ctid::text, e'\\n' order by t.ctid)) as bytes from ${table} t`,
          ),
        ),
      );
    const before = await digestLaws();
    expect(before.flat().map((row) => row['n'])).toEqual([47, 5, 12]);
    const first = await draft();
    await activate(await stepTo(first));
    const second = await draft();
    await activate(await stepTo(second, first));
    expect(await digestLaws()).toEqual(before);
    expect(await expectConsistent()).toBe(second);
    evidence(`64 rows of 3 tables the same across ${first} and ${second}`);
  });

  it('seed 38 §38.10 test 7, audit completeness: every activation has an audit row, and so has the ruleset it supersedes', async () => {
    const old = active;
    const version = await draft();
    const step = await stepTo(version);
    const done = await activate(step);
    expect(done).toMatchObject({ version, superseded: old, activatedBy: 'proposer', verified: true });
    const [drafted, activated, ...others] = await audits(version);
    expect(others).toEqual([]);
    expect(drafted).toMatchObject({ action: 'draft' });
    expect(activated).toMatchObject({
      action: 'activate',
      changed_by: `gcos:${quorum.proposer.login} for proposer`,
    });
    expect(JSON.parse(String(activated?.['alert_detail']))).toMatchObject({
      supersedes: old,
      approval_ref: step.approvalRef,
      plan_hash: PLAN_HASH,
    });
    expect((await audits(old)).at(-1)).toMatchObject({ action: 'supersede' });
    evidence(`draft and activate of ${version}, supersede of ${old}`);
    expect(await estate.gcos.rulesets.show('active')).toMatchObject({
      version,
      status: 'active',
      supersedes: old,
      approvalRef: step.approvalRef,
      planHash: PLAN_HASH,
      activatedBy: 'proposer',
    });
    expect(await estate.gcos.rulesets.show(old)).toMatchObject({ status: 'superseded' });
  });

  it('is refused without an approved, unused request for exactly this activation', async () => {
    const version = await draft();
    const step = await stepTo(version);
    const unapproved = { code: 'ruleset_unapproved', exit: 2 };
    await expect(activate({ ...step, approvalRef: 'APR-0001' })).rejects.toMatchObject(unapproved);
    const { code } = await quorum.proposer.gcos.requests.open('gcos.ruleset.activate', {
      ruleset_version: version,
      plan_hash: PLAN_HASH,
      supersedes: active,
    });
    await expect(activate({ ...step, approvalRef: code })).rejects.toMatchObject(unapproved);
    // The host writes its own status column, which is no approval.
    await host(`update approval_requests set status = 'approved' where code = '${code}'`);
    await expect(activate({ ...step, approvalRef: code })).rejects.toMatchObject(unapproved);
    // The host rejects a request after GCOS recorded its approvals: GCOS does not apply it.
    await host(`update approval_requests set status = 'rejected' where code = '${step.approvalRef}'`);
    await expect(activate(step)).rejects.toMatchObject(unapproved);
    await host(`update approval_requests set status = 'approved' where code = '${step.approvalRef}'`);
    // Approved with the same content, but for another action.
    const { code: otherAction } = await quorum.proposer.gcos.requests.open('gcos.exception.grant', {
      ruleset_version: version,
      plan_hash: PLAN_HASH,
      supersedes: active,
    });
    for (const { gcos } of quorum.approvers.slice(0, 1)) await gcos.requests.approve(otherAction);
    expect(await estate.gcos.requests.show(otherAction)).toMatchObject({ status: 'approved' });
    await expect(activate({ ...step, approvalRef: otherAction })).rejects.toMatchObject(unapproved);
    await expect(activate({ ...step, approvalRef: 'APR-99999' })).rejects.toMatchObject(unapproved);
    for (const base of ['gov-rs-000000000000', null]) {
      const approvalRef = await approvedRequest(quorum, version, base);
      await expect(activate({ ...step, approvalRef })).rejects.toMatchObject({
        code: 'ruleset_superseded',
        exit: 2,
      });
    }
    // Approved without a plan.
    const approvalRef = await approvedRequest(quorum, version, active, '');
    await expect(activate({ ...step, approvalRef })).rejects.toMatchObject(unapproved);
    await expect(activate({ ...step, version: 'gov-rs-000000000000' })).rejects.toMatchObject({
      code: 'ruleset_unknown',
    });
    await expect(activate({ ...step, as: 'president-1' })).rejects.toMatchObject({
      code: 'actor_not_allowed',
    });
    const unregistered = await people.login('unregistered');
    await expect(activate(step, unregistered)).rejects.toMatchObject({ code: 'actor_unknown' });
    await host("update governance_registry set status = 'dormant' where code = 'GOV-COUNCIL'");
    await estate.gcos.rulesets.draft();
    await expect(activate(step)).rejects.toMatchObject({ code: 'ruleset_unowned' });
    await host("update governance_registry set status = 'active' where code = 'GOV-COUNCIL'");
    await estate.gcos.rulesets.draft();
    expect(await expectConsistent()).toBe(active);

    await activate(step);
    await expect(activate(step)).rejects.toMatchObject({ code: 'ruleset_superseded' });
    // The old ruleset is activated again with its own approval; after that the first approval is still used
    // up.
    await host(editFor('mark 1'));
    await activate(await stepTo(active, version));
    await expect(activate(step)).rejects.toMatchObject({
      code: 'ruleset_unapproved',
      message: expect.stringContaining('was already used'),
    });
    expect(await expectConsistent()).toBe(active);
  });

  it('is refused while the host has no approval tables', async () => {
    const version = await draft();
    const step = await stepTo(version);
    await host('alter table apr_approvals rename to hidden');
    await expect(activate(step)).rejects.toMatchObject({ code: 'approvals_unavailable' });
    await host('alter table hidden rename to apr_approvals');
    expect(await expectConsistent()).toBe(active);
  });

  it('shows that one person acted for another', async () => {
    await host(`update governance_setting set setting_value = 'true' where setting_key = 'approval.accept_unverified';
      update governance_actor set may_act_for_others = true where person_ref = 'proposer'`);
    const accepting = await draft();
    // The setting is part of the rules: an edit accepts nothing until a ruleset with it is active.
    await expect(activate({ ...(await stepTo(accepting)), as: 'council-1' })).rejects.toMatchObject({
      code: 'identity_unverified',
    });
    await activate(await stepTo(accepting));
    const version = await draft();
    await activate({ ...(await stepTo(version, accepting)), as: 'council-1' });
    expect(await estate.gcos.rulesets.show('active')).toMatchObject({
      activatedBy: 'council-1',
      activatedVerified: false,
    });
  });

  const processFor = (options: Record<string, unknown>) =>
    startWorkerProcess({ url: quorum.proposer.url, ...options }, 'ruleset-process.mjs');

  /** Starts all processes at the same moment and returns their final messages. */
  async function race(processes: readonly WorkerProcess[]) {
    await Promise.all(processes.map((each) => each.waitForState('ready')));
    for (const each of processes) each.send('go');
    const ends = await Promise.all(processes.map((each) => each.waitForState('end')));
    await Promise.all(processes.map((each) => each.ended));
    return ends;
  }

  /** Waits until the server notices the lost client: its backend may still be committing. */
  const untilIdle = () =>
    until('no backend of the dead process at work', async () => {
      const [row] = await host(
        `select count(*)::int as n from pg_stat_activity where usename = '${quorum.proposer.login}' and state <> 'idle'`,
      );
      return row?.['n'] === 0;
    });
  const countUsed = async (steps: readonly Step[]) => {
    const codes = steps.map((step) => `'${step.approvalRef}'`).join(', ');
    const [row] = await host(
      `select count(*)::int as n from governance_ruleset_activation where approval_ref in (${codes})`,
    );
    return Number(row?.['n']);
  };

  it('three processes that draft at the same moment write one row and one audit row', async () => {
    await host(
      "update measurement_registry set source_query = 'select 1 -- a race' where measurement_id = 'MSR-001'",
    );
    const ends = await race([1, 2, 3].map(() => processFor({ mode: 'draft' })));
    const [version] = ends.map((end) => String(end['outcome']));
    expect(new Set(ends.map((end) => end['outcome'])).size).toBe(1);
    expect(ends.filter((end) => end['created'])).toHaveLength(1);
    expect(await audits(version ?? '')).toHaveLength(1);
  });

  it.each(['read committed', 'repeatable read'])(
    'of two processes that activate at the same moment (%s) one succeeds and the other is refused',
    async (isolation) => {
      const version = await draft();
      const steps = [await stepTo(version), await stepTo(version)];
      const ends = await race(
        steps.map((step) => processFor({ mode: 'activate', isolation, steps: [step] })),
      );
      expect(ends.map((end) => end['outcome']).sort()).toEqual(['done', 'ruleset_superseded']);
      expect(await expectConsistent()).toBe(version);
      expect(await countUsed(steps)).toBe(1);
    },
  );

  it('a SIGKILL between activation and commit leaves the old ruleset active, and the next attempt succeeds', async () => {
    const version = await draft();
    const step = await stepTo(version);
    const process = processFor({ mode: 'hold', steps: [step] });
    await process.waitForState('ready');
    process.send('go');
    await process.waitForState('in transaction');
    await process.end();
    await untilIdle();
    expect(await expectConsistent()).toBe(active);
    await activate(step);
    expect(await expectConsistent()).toBe(version);
  });

  it('a SIGKILL at any point in a series of activations leaves exactly one ruleset active (seed 7)', async () => {
    const versions = [active, await draft()];
    const steps: (Step & { readonly edit: string })[] = [];
    for (let n = 0; n < 12; n += 1)
      steps.push({
        ...(await stepTo(versions[(n + 1) % 2] ?? '', versions[n % 2] ?? '')),
        edit: editFor(`mark ${((n + 1) % 2) + 1}`),
      });
    let done = 0;
    let kills = 0;
    let state = 7;
    while (done < steps.length) {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      // Up to twelve processes are killed, each some milliseconds after its start. The point depends on the
      // machine.
      const killAfterMs = kills < 12 ? { killAfterMs: (state >>> 8) % 60 } : {};
      const process = processFor({
        mode: 'chain',
        hostUrl: estate.url,
        steps: steps.slice(done),
        ...killAfterMs,
      });
      await process.ended;
      if (process.child.signalCode === 'SIGKILL') kills += 1;
      await untilIdle();
      done = await countUsed(steps);
      expect(await expectConsistent()).toBe(versions[done % 2]);
    }
    // At least one kill is needed. A fast machine completes the steps before the twelfth kill.
    expect(kills).toBeGreaterThan(0);
    expect(done).toBe(steps.length);
    await expectConsistent();
  }, 300_000);
});
