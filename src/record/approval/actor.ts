// Owns the identity of the acting person. INVARIANT: the identity is the authenticated database login that
// the server reports. Acting for another person needs an explicit permission and is always marked as
// unverified.
import { quoteIdentifier, quoteLiteral, type Transaction } from '../../db/index.js';
import type { GcosError } from '../../kernel/index.js';
import { readActor } from './actor.sql.js';
import { approvalErrors } from './errors.js';

/** A kind of approver: president, council, member, or another row of governance_approver_kind. */
export type ApproverType = string;

/**
 * How a person was identified: by their database login, by a token, or by a login that acts for them, which
 * is not verified.
 */
export type IdentityLevel = 'login' | 'token' | 'unverified';

export interface Actor {
  readonly personRef: string;
  readonly approverType: ApproverType;
  /** The database login, also if it acts for another person; or token:ID. */
  readonly login: string;
  /** False if the login acts for another person; shown as "unverified identity". */
  readonly verified: boolean;
}

/** The error for the outcome of gcos_actor; undefined if it found the acting person. */
export function actorProblem(
  outcome: string,
  login: string,
  as: string | null,
  trustSchema: string,
): GcosError | undefined {
  if (outcome === 'login_unknown') {
    const row = `insert into ${quoteIdentifier(trustSchema)}.governance_actor (person_ref, login, approver_type) values ('PERSON', ${quoteLiteral(login)}, 'member')`;
    return approvalErrors.actor_unknown(`the login \`${login}\` is mapped to no active person`, {
      help: `a DBA maps it, with a kind of approver such as member: ${row}`,
    });
  }
  if (outcome === 'not_direct')
    return approvalErrors.actor_not_direct(
      `code in the database acts in the session of \`${login}\`: an act counts only if the client's own statement names it`,
    );
  if (outcome === 'person_unknown')
    return approvalErrors.actor_unknown(`governance_actor has no active person \`${as}\``);
  if (outcome === 'not_allowed')
    return approvalErrors.actor_not_allowed(`the login \`${login}\` may not act as \`${as}\``);
  return undefined;
}

/** The acting person of this transaction, or the person that `as` names. */
export async function currentActor(tx: Transaction, as?: string): Promise<Actor> {
  const row = await tx.one(readActor, { as: as ?? null });
  const problem = actorProblem(row.outcome, row.login, as ?? null, tx.trustSchema);
  if (problem !== undefined) throw problem;
  return {
    personRef: row.person_ref ?? '',
    approverType: row.approver_type ?? '',
    login: row.login,
    verified: row.verified === true,
  };
}

/** The displayed name of a person, with a mark unless their own login identified them. */
export function showPerson(person: string, level: IdentityLevel | null): string {
  if (level === 'unverified') return `${person} (unverified identity)`;
  return level === 'token' ? `${person} (by token)` : person;
}

/** The level of an identity, from the credential of a record and whether it was verified; null: unknown. */
export function levelOf(login: string | null, verified: boolean | null): IdentityLevel | null {
  if (verified === null) return null;
  if (!verified) return 'unverified';
  return login?.startsWith('token:') ? 'token' : 'login';
}
