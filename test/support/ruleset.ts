// Requests, approves and performs the activation of rulesets, with people who have their own logins.

import type { Database } from '../../src/db/index.js';
import type { Gcos } from '../../src/index.js';
import {
  ACTIVATE_ACTION,
  activateRuleset,
  activationAction,
  readActive,
} from '../../src/rule/ruleset/index.js';
import { asHost } from './database.js';
import type { People, Person } from './people.js';

/** A database with GCOS installed. */
interface Host {
  readonly gcos: Gcos;
  readonly db: Database;
  readonly url: string;
}

export const PLAN_HASH = 'plan-of-a-test';

export interface Quorum {
  readonly proposer: Person;
  readonly approvers: readonly Person[];
}

/** A proposer, and enough approvers for a request of high risk. */
export async function createQuorum(people: People): Promise<Quorum> {
  const proposer = await people.person('proposer', 'member');
  const approvers = [
    await people.person('president-1', 'president'),
    await people.person('council-1', 'council'),
    await people.person('council-2', 'council'),
  ];
  return { proposer, approvers };
}

/** Opens and approves a request to activate `version` after `supersedes`; returns its code. */
export async function approvedRequest(
  quorum: Quorum,
  version: string,
  supersedes: string | null,
  planHash: string = PLAN_HASH,
): Promise<string> {
  const action = activationAction(version, planHash, supersedes);
  const { code } = await quorum.proposer.gcos.requests.open(ACTIVATE_ACTION, action);
  for (const { gcos } of quorum.approvers) await gcos.requests.approve(code);
  return code;
}

/** Activates `version`, with a new quorum and an approved request; returns the request's code. */
export async function activateNow(estate: Host, people: People, version: string): Promise<string> {
  const quorum = await createQuorum(people);
  const active = await estate.db.transaction({ isolation: 'read committed', readOnly: true }, (tx) =>
    readActive(tx),
  );
  const approvalRef = await approvedRequest(quorum, version, active?.version ?? null);
  await quorum.proposer.gcos.db.transaction({ isolation: 'read committed' }, (tx) =>
    activateRuleset(tx, { version, approvalRef }),
  );
  return approvalRef;
}

/** The change of the tables that gives the version of `mark`. */
export const editFor = (mark: string): string =>
  `update measurement_registry set source_query = 'select 1 -- ${mark}' where measurement_id = 'MSR-001'`;

/** Drafts a new version by changing the query of one detector. */
export async function draftAnother(estate: Host, mark: string): Promise<string> {
  await asHost(estate.url, editFor(mark));
  return (await estate.gcos.rulesets.draft()).version;
}
