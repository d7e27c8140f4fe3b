// Owns the declaration of the host modules: settings, the host's words, errors, and the function that appends
// audit rows.
import { defineModule } from '../db/index.js';
import changelogDownSql from './changelog/changelog.down.sql.js';
import changelogSql from './changelog/changelog.sql.js';
import purgeSql from './changelog/purge.sql.js';
import { doctorErrors } from './doctor/errors.js';
import { mappingSetting } from './mapping.js';
import { collectionDecisions, lifecycleColumnNames, lifecycleTerminal } from './profile/decision.js';
import { ruleErrors } from './rule/errors.js';
import { chosenForRuleset } from './rule/read-content.js';
import settingsDownSql from './settings.down.sql.js';
import settingsSql from './settings.sql.js';
import { trialErrors } from './trial/trial.js';
import { wordSeeds } from './word.js';

export const hostModule = defineModule({
  name: 'host',
  settings: [mappingSetting, collectionDecisions, lifecycleTerminal, lifecycleColumnNames, chosenForRuleset],
  errors: [trialErrors, ruleErrors, doctorErrors],
  migration: { id: 2, name: 'host_settings', up: settingsSql, down: settingsDownSql },
  seeds: wordSeeds,
  seeded: ['{{trust}}.governance_host_word'],
});

export const auditModule = defineModule({
  name: 'audit',
  migration: {
    id: 3,
    name: 'changelog',
    up: changelogSql,
    down: changelogDownSql,
  },
  purges: [purgeSql],
});
