// An estate in which each screen of the console has something to show: an exception, a pass, a decision, a
// dead letter, an edit of the rules that is not approved, and an object with a hostile name.
import type { Gcos } from '../../src/index.js';
import { asHost } from './database.js';
import { createEstate, type Estate } from './estate.js';
import { TOKEN_PERSON } from './http.js';
import { setBirthsAside } from './retry-rows.js';

/** Markup, and letters that turn the direction of what follows. */
export const HOSTILE = '<img src=x onerror=alert(1)>\u202e‫עברית';

const MONTH_MS = 30 * 86_400_000;

const LEDGER_AGE = "where setting_key = 'gate.max_ledger_age'";

/** An edit of the rules in the tables that flips no verdict. Returns what takes it back. */
export async function driftRules(url: string, hours = 300): Promise<() => Promise<unknown>> {
  const set = (value: string) =>
    asHost(url, `update governance_setting set setting_value = ${value} ${LEDGER_AGE}`);
  const [before] = await asHost(
    url,
    `select setting_value::text as value from governance_setting ${LEDGER_AGE}`,
  );
  await set(`setting_value || '{"low_hours": ${hours}}'`);
  return () => set(`'${before?.['value']}'`);
}

/** An exception that is in force: requested by one person, and approved by another. */
async function grantException(
  gcos: Gcos,
  { collection = 'articles', scope = 'execution' } = {},
): Promise<string> {
  const terms = {
    subject: { kind: 'collection', collection },
    ...{ scope, link: 'owner', expiresAt: new Date(Date.now() + MONTH_MS).toISOString() },
  } as const;
  const reason = 'until the delegation is renewed';
  const approvalRef = await gcos.exceptions.openRequest(terms, { reason, as: 'member-1' });
  await gcos.requests.approve(approvalRef, { as: 'president' });
  return gcos.exceptions.grant(terms, { reason, approvalRef, as: 'member-1' });
}

export async function createFullEstate(): Promise<Estate> {
  const estate = await createEstate('scanned');
  const { gcos, url } = estate;
  await asHost(
    url,
    `insert into birth_registry (entity_code, collection_name, species_code, born_at)
     select '${HOSTILE}', 'dot_tools', species_code, now() from birth_registry where collection_name = 'dot_tools' limit 1`,
  );
  await gcos.intakes.once();
  await asHost(
    url,
    setBirthsAside('handoff', `id = (select min(id) from birth_registry)`, { dead: 'now()' }),
  );
  await grantException(gcos);
  await gcos.gates.decide([{ collection: 'dot_tools', code: 'DOT-117' }]);
  await gcos.breakGlass.request(
    {
      subject: { kind: 'object', collection: 'dot_tools', code: 'DOT-117' },
      ...{ stage: 'prod', action: 'execute' },
    },
    { reason: 'the payments are down', as: 'member-1' },
  );
  // An edit of the rules that flips verdicts, so that the plan has all its tables.
  await asHost(
    url,
    `update coverage_profile set required_links = required_links || '{"health": []}' where class_pattern = 'dot_tool'`,
  );
  return estate;
}

/** A token of the person of all tokens, with each permission. */
export const fullToken = async (estate: Pick<Estate, 'gcos'>, person = TOKEN_PERSON): Promise<string> =>
  (
    await estate.gcos.tokens.create({
      name: 'console',
      person,
      permissions: ['read', 'gate', 'decide', 'operate'],
    })
  ).token;
