// Owns what can go wrong with actors, requests and decisions.
import { defineErrors } from '../../kernel/index.js';

export const approvalErrors = defineErrors({
  actor_unknown: {
    exit: 3,
    when: 'the database login is mapped to no active person, or `--as` names nobody who is',
    help: 'a DBA maps the login by a row of governance_actor; see docs/approvals.md',
  },
  actor_not_allowed: {
    exit: 3,
    when: '`--as` is used by a login that may not act for others',
    help: 'leave `--as` out, or connect with your own login; a DBA can set may_act_for_others in governance_actor',
  },
  identity_unverified: {
    exit: 2,
    when: 'somebody decides for another person while unverified identities do not count',
    help: 'let the person decide with their own login; the setting approval.accept_unverified is for demonstrations',
  },
  approvals_unavailable: {
    exit: 4,
    when: 'the host has no approval tables, or they lack columns GCOS relies on',
    help: 'add the tables with `gcos init --with approvals`',
  },
  action_unknown: {
    exit: 3,
    when: 'a request is opened for an action that is not in the setting approval.actions',
    help: 'the setting approval.actions lists what can be requested, with its risk',
  },
  request_invalid: {
    exit: 3,
    when: 'a request or decision lacks something it needs, or contains what cannot be stored',
    help: 'see `gcos request --help`',
  },
  request_unknown: {
    exit: 3,
    when: 'there is no request of that code',
    help: '`gcos request list` shows the requests',
  },
  request_foreign: {
    exit: 3,
    when: 'the request was not opened through GCOS; GCOS neither decides nor counts it',
    help: 'decide it where it was opened, or open it again through GCOS',
  },
  request_altered: {
    exit: 2,
    when: 'the row of the request in the host is no longer what was opened',
    help: 'find out who changed the row in approval_requests, then open a new request',
  },
  request_closed: {
    exit: 2,
    when: 'a decision or withdrawal arrives when the request is no longer pending',
    help: '`gcos request show CODE` shows how it was decided',
  },
  decision_by_proposer: {
    exit: 2,
    when: 'somebody decides on a request that they proposed, or opened for somebody else; or, where it takes two logins, with the one it was opened with',
    help: 'another person has to decide',
  },
  decision_repeated: {
    exit: 2,
    when: 'a person who has decided decides again, with whatever login',
    help: 'decisions stay as they were made; the proposer can withdraw the request and open a new one',
  },
  decision_conflict: {
    exit: 2,
    when: 'apr_approvals already holds another decision in the name of this person, which GCOS did not see being made',
    help: 'have the host settle that row, then decide again',
  },
  withdraw_by_other: {
    exit: 2,
    when: 'somebody other than the proposer withdraws a request',
    help: 'ask the proposer, or reject the request',
  },
});
