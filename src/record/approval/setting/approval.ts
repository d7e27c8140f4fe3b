// Owns the settings of approvals, which functions of the database read from the rules in force.
import { z } from 'zod';
import { defineSetting } from '../../../db/index.js';

export const approvalActions = defineSetting({
  key: 'approval.actions',
  form: z.record(z.string().startsWith('gcos.'), z.enum(['low', 'medium', 'high'])),
  default: {
    'gcos.ruleset.activate': 'high',
    'gcos.gate.break_glass': 'medium',
    'gcos.exception.grant': 'medium',
    'gcos.remediation.propose': 'low',
  },
  about:
    "The actions that can be requested through GCOS; their risk is low, medium or high; the higher of this and the risk in the host's apr_action_types applies",
});

export const acceptUnverified = defineSetting({
  key: 'approval.accept_unverified',
  form: z.boolean(),
  default: false,
  about:
    'true: decisions made for another person (--as) count. Only for demonstrations: with it, one login could complete a quorum',
});

export const twoLogins = defineSetting({
  key: 'approval.two_logins',
  form: z.array(z.string().min(1)),
  default: ['gcos.gate.break_glass'],
  about:
    'Actions that always take two logins: a decision made with the login that opened the request does not count, even in the name of another person',
});
