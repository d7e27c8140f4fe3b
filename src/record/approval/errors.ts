// Owns the errors of actors, requests and decisions.
import { defineErrors } from '../../kernel/index.js';

export const approvalErrors = defineErrors({
  actor_unknown: {
    exit: 3,
    when: 'the database login is mapped to no active person, or `--as` names no active person',
    help: 'a DBA maps the login with `gcos person add`; see docs/identities.md',
  },
  actor_not_allowed: {
    exit: 3,
    when: '`--as` is used by a login that may not act for others',
    help: 'leave `--as` out, or connect with your own login; a DBA can set may_act_for_others in governance_actor',
  },
  actor_not_direct: {
    exit: 4,
    when: 'a trigger, a view, a column default or a function in the database tries to act in the name of the person who is logged in',
    help: '`gcos doctor` names the code of the host that runs when GCOS writes; find out who added it',
  },
  identity_unverified: {
    exit: 2,
    when: 'a login decides for another person while unverified identities do not count',
    help: 'let the person decide with their own login; the setting approval.accept_unverified is for demonstrations',
  },
  identity_level_refused: {
    exit: 2,
    when: 'a person approves by a token, and the policy does not count tokens for a request of this risk; nothing is recorded',
    help: 'approve with your own database login; the levels of the setting approval.policy say what counts',
  },
  approvals_unavailable: {
    exit: 4,
    when: 'the host has no approval tables, or they lack columns that GCOS needs',
    help: 'add the tables with `gcos init --with approvals`',
  },
  action_unknown: {
    exit: 3,
    when: 'a request is opened for an action that is not in the setting approval.actions',
    help: 'the setting approval.actions lists the actions that can be requested, with their risk',
  },
  request_invalid: {
    exit: 3,
    when: 'a request or decision lacks a required value, or contains a value that cannot be stored',
    help: 'see `gcos request --help`',
  },
  request_unknown: {
    exit: 3,
    when: 'there is no request with that code',
    help: '`gcos request list` shows the requests',
  },
  request_foreign: {
    exit: 3,
    when: 'the request was not opened through GCOS; GCOS neither decides nor counts it',
    help: 'decide it in the system that opened it, or open it again through GCOS',
  },
  request_altered: {
    exit: 2,
    when: 'the row of the request in the host was changed after the request was opened',
    help: 'find out which user or program changed the row in approval_requests, then open a new request',
  },
  request_closed: {
    exit: 2,
    when: 'a decision or withdrawal arrives when the request is no longer pending',
    help: '`gcos request show CODE` shows how it was decided',
  },
  self_approval_refused: {
    exit: 2,
    when: 'a person decides on their own request under a policy that accepts the approval of the proposer, but the request breaks the glass, concerns risk write_high or an action that is never self-approved, or the decision is a rejection or is made for another person',
    help: 'let another person decide; the proposer can withdraw the request',
  },
  decision_by_proposer: {
    exit: 2,
    when: 'a person decides on a request that they proposed or opened for another person; or, for an action that takes two logins, the deciding login also opened the request',
    help: 'another person has to decide',
  },
  decision_repeated: {
    exit: 2,
    when: 'a person who has already decided decides again, with the same or another login',
    help: 'a decision cannot be changed; the proposer can withdraw the request and open a new one',
  },
  decision_conflict: {
    exit: 2,
    when: 'apr_approvals already holds a different decision in the name of this person, which was not made through GCOS',
    help: 'have the host correct or remove that row, then decide again',
  },
  withdraw_by_other: {
    exit: 2,
    when: 'a person other than the proposer withdraws a request',
    help: 'ask the proposer, or reject the request',
  },
});
