// Owns the description of this module: its errors, and the setting that says what a team changes in its kits.
import { z } from 'zod';
import { defineModule, defineSetting } from '../../db/index.js';
import { type KitOverrides, kitErrors, kitOverrides } from './document.js';

/** A command that writes the rows of a kit again must write them with the same overrides. */
export const kitSetting = defineSetting<Readonly<Record<string, KitOverrides>>>({
  key: 'kit.overrides',
  form: z.record(z.string(), kitOverrides),
  default: {},
  about:
    'What this team changes in a kit, by its name, as `gcos config apply` wrote it from gcos.yaml: it becomes rows of rules, which an approved ruleset puts into force',
});

export const kitModule = defineModule({ name: 'kit', errors: [kitErrors], settings: [kitSetting] });
