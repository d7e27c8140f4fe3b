// Owns the form of a kit: scopes, the links that count in them, profiles of classes, and detectors, all as
// data. A released version of a kit never changes; what a team wants otherwise is an override.
import { z } from 'zod';
import { defineErrors } from '../../kernel/index.js';

export const kitErrors = defineErrors({
  kit_unknown: {
    exit: 3,
    when: 'there is no kit, or no version of a kit, of that name',
    help: 'the error lists what there is',
  },
  kit_invalid: {
    exit: 3,
    when: 'an override of a kit has the wrong form, or names a class, scope, link or detector that the kit does not have',
    help: 'correct what the message names; nothing was changed',
  },
  kit_conflict: {
    exit: 3,
    when: 'the host has a profile for a class of the kit that the kit did not bring',
    help: 'retire that profile, or leave the kit out: a class has one profile',
  },
});

const code = z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/);
const text = z.string().min(1);
const risk = z.enum(['write_high', 'write_low', 'read', 'descriptive']);
/** ISO 8601, as PostgreSQL reads an interval. */
const ttl = z.string().regex(/^P(?=\d)(\d{1,4}Y)?(\d{1,4}M)?(\d{1,4}W)?(\d{1,4}D)?$/);
const severity = z.enum(['critical', 'high', 'medium', 'low']);
const links = z.record(code, z.array(code).min(1));

export const kitDocument = z.strictObject({
  name: code,
  version: z.int().min(1),
  about: text,
  scopes: z.array(z.strictObject({ code, about: text })),
  /** What the text of a link must look like, besides the owner, whom the ownership names. */
  links: z.array(z.strictObject({ link: code, form: text })),
  profiles: z.array(
    z.strictObject({
      class: code,
      risk,
      ttl,
      inherits: z.boolean().default(false),
      links: links.default({}),
    }),
  ),
  detectors: z.array(
    z.strictObject({
      id: code,
      severity,
      about: text,
      /** Why it matters, for the person who acts. */
      reason: text,
      /** SQL from `from` on, over the table `gcos_source_object o`. A missing fact matches nothing. */
      where: text,
      /** SQL for the statement that fixes the object, as text; null where only a person can say it. */
      fix: text,
    }),
  ),
});
export type KitDocument = z.infer<typeof kitDocument>;

export const kitOverrides = z.strictObject({
  profiles: z
    .record(code, z.strictObject({ risk: risk.optional(), ttl: ttl.optional(), links: links.optional() }))
    .default({}),
  detectors: z
    .record(code, z.strictObject({ severity: severity.optional(), enabled: z.boolean().optional() }))
    .default({}),
});
export type KitOverrides = z.input<typeof kitOverrides>;
