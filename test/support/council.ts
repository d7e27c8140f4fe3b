// An installed estate with approvers, each with a real login, for the tests of approvals.
import { afterEach, beforeEach } from 'vitest';
import type { RequestDetail } from '../../src/index.js';
import { asHost } from './database.js';
import { createEstate, type Estate } from './estate.js';
import { createPeople, type People, type Person } from './people.js';

export const HIGH = 'gcos.ruleset.activate';
export const MEDIUM = 'gcos.exception.grant';
export const LOW = 'gcos.remediation.propose';
export const READ = { isolation: 'repeatable read', readOnly: true } as const;

let estate: Estate;
export let people: People;
export let president: Person;
let [council1, council2, council3]: Person[] = [];
let [member1, member2, clerk]: Person[] = [];

export const host = (text: string) => asHost(estate.url, text);
export const statusOf = async (code: string) =>
  (await host(`select status from approval_requests where code = '${code}'`))[0]?.['status'];
export const acceptUnverified = (yes: boolean) =>
  host(
    `update governance_setting set setting_value = '${yes}' where setting_key = 'approval.accept_unverified'`,
  );
export const open = async (
  who: Person,
  action = HIGH,
  proposed: Record<string, unknown> = { ruleset: 'r1' },
) => (await who.gcos.requests.open(action, proposed)).code;
export const written = async () =>
  (
    await host(`select (select count(*)::int from approval_requests) as requests,
      (select count(*)::int from apr_approvals) as approvals, (select count(*)::int from governance_decision) as decisions`)
  )[0];
/** The request with its effective status and the status in the host's column. */
export const shown = (code: string): Promise<RequestDetail> => estate.gcos.requests.show(code);

/** Provides a new estate and its approvers for each test of the file. */
export function useCouncil(): void {
  beforeEach(async () => {
    estate = await createEstate('installed');
    people = createPeople(estate.url);
    president = await people.person('president', 'president');
    council1 = await people.person('council-1', 'council');
    council2 = await people.person('council-2', 'council');
    council3 = await people.person('council-3', 'council');
    member1 = await people.person('member-1', 'member');
    member2 = await people.person('member-2', 'member');
    clerk = await people.person('clerk', 'member', { mayActForOthers: true });
  });
  afterEach(async () => {
    await people?.close();
    await estate?.close();
  });
}

export function allPeople(): Record<'c1' | 'c2' | 'c3' | 'm1' | 'm2' | 'clerk', Person> {
  if (!council1 || !council2 || !council3 || !member1 || !member2 || !clerk) throw new Error('not set up');
  return { c1: council1, c2: council2, c3: council3, m1: member1, m2: member2, clerk };
}
