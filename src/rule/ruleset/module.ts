// Owns the parts of this module: its tables, and the functions that draft and activate rulesets.
import { defineModule } from '../../db/index.js';
import { rulesetErrors } from './errors.js';
import activateSql from './schema/activate.sql.js';
import changeReachSql from './schema/change-reach.sql.js';
import contentSql from './schema/content.sql.js';
import draftSql from './schema/draft.sql.js';
import inForceSql from './schema/in-force.sql.js';
import reachSql from './schema/reach.sql.js';
import rulesetDownSql from './schema/ruleset.down.sql.js';
import tablesSql from './schema/tables.sql.js';
import { reachDomains, rulesetOwner } from './settings.js';

export const rulesetModule = defineModule({
  name: 'ruleset',
  settings: [rulesetOwner, reachDomains],
  errors: [rulesetErrors],
  migration: {
    id: 10,
    name: 'ruleset',
    up: [tablesSql, inForceSql, reachSql, contentSql, draftSql, changeReachSql, activateSql].join('\n'),
    down: rulesetDownSql,
  },
  seeds: ['select {{trust}}.gcos_seed_reach();'],
  seeded: ['{{schema}}.governance_rule_reach'],
});
