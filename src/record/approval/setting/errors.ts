// Owns the errors of changing a setting.
import { defineErrors } from '../../../kernel/index.js';

export const settingActErrors = defineErrors({
  setting_unknown: {
    exit: 3,
    when: 'a command names a setting that does not exist',
    help: '`gcos setting list` shows all settings',
  },
  setting_value_invalid: {
    exit: 3,
    when: 'the new value of a setting does not have its form',
    help: '`gcos setting get KEY` shows the form and the default; a value is JSON',
  },
  setting_protected: {
    exit: 3,
    when: 'a person changes a setting that limits what people and programs can do, or a rule while no ruleset is in force, and their login may not update the table of settings',
    help: 'a DBA changes it: with `gcos setting set` and a login that is mapped to a person and may update governance_setting, or in SQL',
  },
  setting_of_command: {
    exit: 3,
    when: 'a setting is to be set that only a command of its own changes',
    help: '`gcos setting get KEY` names the command',
  },
});
