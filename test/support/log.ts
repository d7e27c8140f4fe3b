// An estate with acts of every kind in its log, and the tampering of a superuser.
import type { Gcos, LogDifference, LogVerification } from '../../src/index.js';
import { asHost, urlAs } from './database.js';
import type { Estate } from './estate.js';
import { openAt } from './estate.js';
import { ask } from './gate.js';
import { createPeople, type People, type Person } from './people.js';
import { until } from './wait.js';

/** The kinds of all links, in order. */
export const kindsOf = async (url: string): Promise<string[]> =>
  (await asHost(url, 'select kind from gcos_log order by position')).map((row) => String(row['kind']));

export const firstOf = (found: LogVerification): LogDifference | undefined => found.differences[0];

/** What a superuser runs: no trigger fires. */
export const asTamperer = (url: string, text: string): Promise<unknown> =>
  asHost(url, `set session_replication_role = replica; ${text}`);

/** Runs `work` with GCOS open as the login of the worker. */
export async function asWorker<T>(url: string, work: (gcos: Gcos) => Promise<T>): Promise<T> {
  const gcos = await openAt(urlAs(url, 'worker'));
  try {
    return await work(gcos);
  } finally {
    await gcos.close();
  }
}

/** Seals until no answer is left; a transaction that is open anywhere on the server delays a seal. */
export const sealAll = (url: string): Promise<void> =>
  asWorker(url, async (gcos) => {
    await until('every answer is sealed', async () => (await gcos.log.seal()).lagSeconds === 0);
  });

export interface Acts {
  readonly people: People;
  readonly member: Person;
  readonly president: Person;
  readonly exception: string;
  readonly pass: string;
  readonly rejected: string;
}

/**
 * Acts of people with real logins: requests, decisions, an exception, a pass, a pause, and checks at the
 * gate.
 */
export async function act(estate: Estate): Promise<Acts> {
  const people = createPeople(estate.url);
  const member = await people.person('on-call', 'member');
  const president = await people.person('chief', 'president');
  const { code: rejected } = await member.gcos.requests.open('gcos.remediation.propose', { fix: 'x' });
  await president.gcos.requests.reject(rejected, { reason: 'not this one' });
  const { code: withdrawn } = await member.gcos.requests.open('gcos.remediation.propose', { fix: 'y' });
  await member.gcos.requests.withdraw(withdrawn);
  const { exception } = await member.gcos.exceptions.request(
    {
      subject: { kind: 'object', collection: 'dot_tools', code: 'DOT-142' },
      scope: 'execution',
      link: 'rollback',
      seconds: 86_400,
    },
    { reason: 'the rollback is being written' },
  );
  await president.gcos.requests.approve(exception.approvalRef ?? '');
  await member.gcos.exceptions.revoke(exception.code, { reason: 'it exists' });
  const { pass } = await member.gcos.breakGlass.request(
    {
      subject: { kind: 'object', collection: 'dot_tools', code: 'DOT-141' },
      stage: 'prod',
      action: 'execute',
    },
    { reason: 'the payments are down' },
  );
  await president.gcos.requests.approve(pass.approvalRef);
  await ask(estate, { collection: 'dot_tools', code: 'DOT-141' }, { stage: 'prod', action: 'execute' });
  await ask(estate, { collection: 'dot_tools', code: 'DOT-141' }, { stage: 'prod', action: 'execute' });
  await member.gcos.breakGlass.close(pass.code);
  await ask(estate, { collection: 'dot_tools', code: 'DOT-143' });
  return { people, member, president, exception: exception.code, pass: pass.code, rejected };
}
