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

/** `any`, or a kind of approver: a row of governance_approver_kind. */
const quorum = z
  .record(z.string().regex(/^[a-z][a-z0-9_]{0,39}$/), z.int().min(1).max(9))
  .refine((each) => Object.keys(each).length > 0, 'a quorum needs at least one approval');

/** Which levels of identity count, per risk. */
const level = z.array(z.enum(['login', 'token']));
const levels = z.strictObject({ low: level.optional(), medium: level.optional(), high: level.optional() });

export const policyForm = z.union([
  z.strictObject({
    quorum: z.strictObject({ low: quorum, medium: quorum, high: quorum }),
    levels: levels.optional(),
  }),
  z.strictObject({
    approvals: z.int().min(1).max(9),
    self_approval: z.boolean(),
    levels: levels.optional(),
  }),
]);

export const approvalPolicy = defineSetting({
  key: 'approval.policy',
  form: policyForm,
  default: { quorum: { low: { any: 1 }, medium: { president: 1 }, high: { president: 1, council: 2 } } },
  about:
    'Who must approve a request: per risk how many approvals of which kind of approver (any: every kind), or {"approvals", "self_approval"} for a small team: so many of any kind; with self_approval the approval of the proposer counts, never to break the glass or for what concerns risk write_high. levels: which identities count per risk, login or token; by default high risk counts logins only',
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
