// Owns the settings of rulesets that functions of the database read.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';

const names = z.array(z.string());

export const rulesetOwner = defineSetting({
  key: 'ruleset.owner',
  form: z.string().min(1),
  default: 'GOV-COUNCIL',
  about: 'The body that owns rulesets; it counts only if governance_registry lists it as active',
  changedBy: 'dba',
});

export const reachDomains = defineSetting({
  key: 'rule.reach_domains',
  form: z.record(
    z.string(),
    z.strictObject({
      scopes: names.optional(),
      axis_families: names.optional(),
      registries: names.optional(),
    }),
  ),
  default: {
    policy: { scopes: ['policy'] },
    health: { scopes: ['health'] },
    execution: { scopes: ['execution'] },
    render: { scopes: ['render'] },
    approval: { scopes: ['approval'] },
    audit: { scopes: ['audit'] },
    registry: {},
    birth: {},
    event: {},
  },
  about:
    'The reach of laws by domain of law_jurisdiction: {"scopes": [], "axis_families": [], "registries": []}; an omitted list means any. A law with a domain that is not listed here reaches everything',
  changedBy: 'dba',
});
