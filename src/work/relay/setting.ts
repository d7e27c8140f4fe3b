// Owns the setting that says where the console is.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';

export const webhookConsole = defineSetting({
  key: 'webhook.console',
  form: z.strictObject({ url: z.url({ protocol: /^https?$/ }).nullable() }),
  default: { url: null },
  about: 'the address of the console, to which webhooks of the format slack link (null: no link)',
});
