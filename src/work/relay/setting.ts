// Owns the settings of webhooks.
import { z } from 'zod';
import { defineSetting } from '../../db/index.js';

export const webhookConsole = defineSetting({
  key: 'webhook.console',
  form: z.strictObject({ url: z.url({ protocol: /^https?$/ }).nullable() }),
  default: { url: null },
  about: 'the address of the console, to which webhooks of the format slack link (null: no link)',
  changedBy: 'dba',
});

export const webhookLimits = defineSetting({
  key: 'webhook.limits',
  form: z.strictObject({ answer_seconds: z.number().positive().max(300) }),
  default: { answer_seconds: 10 },
  about: 'how long a receiver of a webhook may take to answer',
});
