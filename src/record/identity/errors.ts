// Owns the errors of creating and revoking tokens, and of adding people.
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
});
