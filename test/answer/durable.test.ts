// Answers of the gate, votes and activations are durable: their transactions commit synchronously, even where
// the server's default is off and the session sets nothing.
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { carryAtOnce } from '../support/carry-pace.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';

const GATE = `select answer from gcos_gate_check(array['dot_tools'], array['DOT-118'], array[null]::text[],
  array['prod'], array['execute'])`;

describe('a transaction that records a decision', () => {
  let estate: Estate;
  let client: pg.Client;
  beforeEach(async () => {
    estate = await createEstate('scanned');
    await asHost(estate.url, `alter database "${estate.name}" set synchronous_commit = off`);
    client = new pg.Client({ connectionString: estate.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await estate.close();
  });

  /** The setting at the end of a transaction that runs `text`. */
  async function settingAfter(text: string): Promise<string> {
    await client.query('begin');
    await client.query(text);
    const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit');
    await client.query('rollback');
    return rows[0]?.synchronous_commit ?? '';
  }

  it('commits synchronously, and any other transaction as the server says', async () => {
    const request = `gcos_open_request('gcos.exception.grant', '{"reason": "x"}', 'member-1')`;
    expect(await settingAfter('select 1')).toBe('off');
    expect(await settingAfter(GATE)).toBe('on');
    expect(await settingAfter(`select ${request}`)).toBe('on');
    await client.query(`select ${request}`);
    const [open] = await asHost(estate.url, `select max(code) as code from approval_requests`);
    const decide = (decision: string, as: string) =>
      `select gcos_decide('${String(open?.['code'])}', '${decision}', 'test', '${as}')`;
    expect(await settingAfter(decide('approve', 'president'))).toBe('on');
    expect(
      await settingAfter(`select gcos_withdraw_request('${String(open?.['code'])}', 'test', 'member-1')`),
    ).toBe('on');
  });

  it('commits an activation synchronously', async () => {
    await asHost(estate.url, "update coverage_profile set ttl = ttl + interval '1 hour'");
    const { code, plan } = await estate.gcos.plans.propose({ as: 'member-1' });
    for (const as of ['president', 'council-1', 'council-2'])
      await estate.gcos.requests.approve(code, { as });
    await carryAtOnce(estate.url);
    // Fails with a division by zero if the ruleset does not become active.
    const activate = `select 1 / (outcome = 'ok')::integer from gcos_activate_ruleset('${plan.to}', '${code}', 'operator')`;
    expect(await settingAfter(activate)).toBe('on');
  });

  it('keeps a stricter setting', async () => {
    await client.query('set synchronous_commit = remote_apply');
    expect(await settingAfter(GATE)).toBe('remote_apply');
  });
});
