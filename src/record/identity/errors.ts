// Owns the errors of tokens, of people, and of signing in.
import { defineErrors } from '../../kernel/index.js';

export const identityErrors = defineErrors({
  token_invalid: {
    exit: 3,
    when: 'a token is to be created with a name, permissions, limits or a lifetime that a token cannot have',
    help: 'see docs/identities.md: a pipeline and a limited token only read and ask the gate; the setting token.lifetime limits the days',
  },
  token_unknown: {
    exit: 3,
    when: 'there is no token with that id',
    help: '`gcos token list` shows the tokens and their ids',
  },
  token_revoked: {
    exit: 2,
    when: 'a token is to be revoked that was revoked before',
    help: '`gcos token list` shows when, and by whom',
  },
  administrator_required: {
    exit: 3,
    when: 'a token is created or revoked for another person or a pipeline, or a person is added or changed, by a login that may not write governance_actor',
    help: 'let a DBA do it: a login that may insert and update gcos_trust.governance_actor',
  },
  person_invalid: {
    exit: 3,
    when: 'a person is to be added or changed with a name, login or kind of approver that does not exist or belongs to another person',
    help: '`gcos person list` shows the people; a login is created in the database first: create role NAME login in role gcos_api',
  },
  person_unknown: {
    exit: 3,
    when: 'there is no active person of that name',
    help: '`gcos person list` shows the people',
  },
  sign_in_unmapped: {
    exit: 3,
    when: 'a user signed in at the provider who is mapped to no active person',
    help: 'a DBA maps the user: gcos person map PERSON --issuer ISSUER --subject SUBJECT',
  },
  sign_in_refused: {
    exit: 3,
    when: 'a sign-in through the provider cannot be accepted: its ID token is none, is too old, or was used before, or the login of the server is not gcos_server',
    help: 'sign in again; if it happens again, the operator compares the clocks, and the login of `gcos serve` (GCOS_SERVER_URL)',
  },
});
