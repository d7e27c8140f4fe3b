// Owns the form of gcos.yaml: what a team keeps with its code. docs/reference/gcos.schema.json is generated
// from it, for editors.
import { z } from 'zod';
import { policyForm } from '../../record/approval/index.js';
import { kitOverrides } from '../../source/kit/index.js';

const code = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,99}$/);
const name = z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/);
const text = z.string().min(1).max(2_000);
const link = z.string().regex(/^[a-z][a-z0-9_]{0,31}$/);
const day = z.iso.date();

const sourceName = z.string().regex(/^[a-z][a-z0-9_]{0,23}$/);

const source = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.enum(['postgres', 'directus']),
      location: text.describe('env:NAME, file:PATH or a URL without a password'),
    }),
    z.strictObject({
      kind: z.literal('file'),
      location: text.describe('A list that ends in .csv or .jsonl, relative to this file'),
      class: name.describe('The class of its objects'),
      code: text.describe('The column of the code of an object'),
      identity: text.optional().describe('A column with a key that stays when the code changes'),
      links: z.record(link, text).default({}).describe('Link: the column that names it'),
    }),
  ])
  .describe('An estate that is read; a worker and `gcos source sync` read it');

const contractFile = z
  .union([
    z.string().min(1),
    z.strictObject({ file: z.string().min(1), source: sourceName.describe('Only objects of this source') }),
  ])
  .describe('A file of a data contract (Open Data Contract Standard 3.1), relative to this file');

const body = z
  .strictObject({ name: text.describe('Its name, to read') })
  .describe('A team or another body that can own, approve and act');

const pattern = z
  .strictObject({
    source: sourceName.optional().describe('Only objects of this source'),
    match: z.string().min(1).max(1_000).describe('The code of objects; * is any text, ? one character'),
    class: name.optional().describe('Only objects of this class'),
    owner: code.optional(),
    classification: code.optional(),
    retention: z
      .string()
      .regex(/^P\d{1,4}[DWMY]$/)
      .optional()
      .describe('For example P3Y'),
    approval: z.url().optional(),
  })
  .refine(
    ({ owner, classification, retention, approval }) =>
      [owner, classification, retention, approval].some((each) => each !== undefined),
    'a pattern gives at least one link',
  )
  .describe('Links of the objects that match; of several patterns that name a link, the last one counts');

const acceptedGap = z
  .strictObject({
    collection: text.optional().describe('A collection; with code, one of its objects'),
    code: text.optional(),
    class: text.optional().describe('A class of objects, instead of a collection'),
    scope: name,
    link: link.optional().describe('Only this link may be missing; without it, every one'),
    until: day.describe('The last day on which the gap is accepted'),
    reason: text,
  })
  .refine(
    (gap) => (gap.class === undefined) !== (gap.collection === undefined),
    'give a collection or a class',
  )
  .refine((gap) => gap.code === undefined || gap.collection !== undefined, 'a code needs its collection')
  .describe('A gap that is accepted until a day: an exception, which needs an approval');

const listed = z.strictObject({
  collection: text,
  code: text,
});
const baseline = z
  .strictObject({
    until: day.describe('The last day on which these gaps are accepted: 90 days ahead at most'),
    reason: text,
    gaps: z
      .array(listed.extend({ scope: name, link }))
      .default([])
      .describe('A link that an object lacks in a scope'),
    findings: z
      .array(listed.extend({ detector: text }))
      .default([])
      .describe('An object that a detector lists'),
  })
  .describe(
    'What a legacy estate lacks, as `gcos govern --baseline` wrote it: it can only shrink, or be renewed',
  );

export const documentForm = z.strictObject({
  version: z.literal(1).describe('The version of this form'),
  bodies: z.record(code, body).default({}).describe('By code, as owners are named'),
  owners: z.array(pattern).default([]).describe('Patterns; the last one that matches counts'),
  contracts: z.array(contractFile).default([]),
  sources: z.record(sourceName, source).default({}).describe('What fills this home, by name'),
  kits: z
    .record(z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/), kitOverrides)
    .default({})
    .describe('Rules by the name of their kit, with what this team changes in them'),
  approval: z
    .strictObject({ policy: policyForm })
    .optional()
    .describe('Who must approve; a change needs an approval under the policy in force'),
  accepted_gaps: z.array(acceptedGap).default([]),
  baseline: baseline.optional(),
});

/** The content of gcos.yaml. */
export type ConfigurationDocument = z.infer<typeof documentForm>;
export type Baseline = z.infer<typeof baseline>;
export type AcceptedGap = z.infer<typeof acceptedGap>;

/** The published JSON schema. */
export const documentSchema = (): Record<string, unknown> => ({
  title: 'gcos.yaml',
  description: 'Governance as code: what `gcos config plan` compares and `gcos config apply` does',
  ...z.toJSONSchema(documentForm, { io: 'input', unrepresentable: 'any' }),
});
