// Owns what speaks against something, in words: every reason as a code, a scope and one sentence, and the act that would take it away.
// What the database keeps is codes and facts; sentences are made when somebody reads them.
import { z } from 'zod';
import { type GapPlace, gapText } from '../fix/index.js';
import type { GateSubject } from './question.js';

const links = z.record(
  z.string(),
  z.looseObject({
    state: z.string(),
    exception: z.string().optional(),
    tool: z.string().optional(),
    via: z.string().optional(),
  }),
);
const stored = z.looseObject({
  code: z.string().optional(),
  codes: z.array(z.string()).optional(),
  scope: z.string().nullish(),
  by: z.enum(['object', 'group', 'members', 'nobody']).optional(),
  verdict: z.string().optional(),
  line: z.number().optional(),
  stale_after: z.string().optional(),
  dirty_reason: z.string().optional(),
  dirtied_at: z.string().optional(),
  snapshot: z.string().optional(),
  ruleset: z.string().optional(),
  input_state: z.string().optional(),
  owner: z.string().optional(),
  links: links.optional(),
  objects: z.number().optional(),
  sample: z.array(z.string()).optional(),
  run: z.string().nullish(),
  workers: z.array(z.string()).optional(),
  finding: z.string().optional(),
  type: z.string().optional(),
  severity: z.string().optional(),
  who: z.array(z.string()).optional(),
  closed_when: z.string().optional(),
});
type StoredReason = z.infer<typeof stored>;

export interface GateReason {
  readonly code: string;
  /** Null: it concerns everything, or no single scope. */
  readonly scope: string | null;
  readonly sentence: string;
}

/** Who can act; `owner`: whoever answers for it in the scope, else the scope's default owner, else the council. */
type Who = 'siv' | 'council' | 'owner' | readonly string[];

export interface Act {
  readonly what: string;
  readonly who: Who;
  readonly scope: string | null;
  readonly owner: string | null;
}

export interface WordedReason {
  readonly reason: GateReason;
  readonly acts: readonly Act[];
}

const subjectOf = (subject: GateSubject): string =>
  'group' in subject ? `group \`${subject.group}\`` : `\`${subject.collection}\` / \`${subject.code}\``;

const SCAN = 'look at it again: `gcos scan run`';

interface Facts {
  readonly subject: GateSubject;
  readonly of: StoredReason;
}

/** Where an act would have to take place: at the object, or at the container that answers for it. */
function placeOf({ subject, of }: Facts): Pick<GapPlace, 'kind' | 'subject' | 'collection'> {
  if ('group' in subject) return { kind: 'group', subject: subject.group, collection: null };
  return of.by === 'group'
    ? { kind: 'collection', subject: subject.collection, collection: null }
    : { kind: 'object', subject: subject.code, collection: subject.collection };
}

/** The links it lacks, each with the act that would give it. */
function gapsOf(facts: Facts): readonly { readonly wording: string; readonly act: string }[] {
  const { of } = facts;
  const place = placeOf(facts);
  return Object.entries(of.links ?? {})
    .filter(([, found]) => found.state === 'missing' || found.state === 'conflict')
    .map(([link, { state, tool }]) => ({
      wording: state === 'conflict' ? `${link} in dispute` : link,
      act:
        tool === undefined
          ? gapText({
              action: state === 'conflict' ? 'choose_owner' : link === 'owner' ? 'name_owner' : 'give_link',
              link,
              ...place,
              scope: of.scope ?? null,
            })
          : gapText({
              action: 'authorize_tool',
              link,
              kind: 'tool',
              subject: tool,
              collection: null,
              scope: null,
            }),
    }));
}

interface Wording {
  readonly sentence: string;
  readonly acts: readonly { readonly what: string; readonly who: Who }[];
}

const WORDINGS: Readonly<Record<string, (facts: Facts) => Wording>> = {
  not_found: ({ subject }) => ({
    sentence: `${subjectOf(subject)} is in no inventory: there is no such birth, row or group`,
    acts: [{ what: 'name something that is registered, or have it born', who: 'owner' }],
  }),
  no_ruleset: () => ({
    sentence: 'no ruleset is in force: nothing was judged by rules that anybody approved',
    acts: [
      {
        what: 'put the rules into force: `gcos ruleset propose`, approvals, `gcos ruleset activate`',
        who: 'council',
      },
    ],
  }),
  no_scope: () => ({
    sentence: 'the ruleset in force has no responsibility scope: there is nothing to hold anything against',
    acts: [{ what: 'activate a responsibility scope and put the rules into force', who: 'council' }],
  }),
  ledger_not_closed: ({ of }) => ({
    sentence:
      of.run == null
        ? 'no ledger was ever closed: nobody knows whether everything is accounted for'
        : `the last ledger (run ${of.run}) does not close`,
    acts: [
      {
        what: 'find what is missing with `gcos ledger verify`, and close a ledger: `gcos scan run --mode full`',
        who: 'siv',
      },
    ],
  }),
  worker_overdue: ({ of }) => ({
    sentence: `workers are overdue: ${(of.workers ?? []).join(', ')}; changes may have gone unseen`,
    acts: [{ what: 'start them again, or end them in good order: `gcos worker status`', who: 'siv' }],
  }),
  stale: ({ of }) => ({
    sentence: `its verdict ran out at ${of.stale_after ?? 'an unknown time'}`,
    acts: [{ what: SCAN, who: 'siv' }],
  }),
  dirty: ({ of }) => ({
    sentence: `it waits for a new look since ${of.dirtied_at ?? 'some time'} (${of.dirty_reason ?? 'no reason given'})`,
    acts: [{ what: SCAN, who: 'siv' }],
  }),
  dangling_snapshot: ({ of }) => ({
    sentence: `the snapshot it was judged under (${of.snapshot ?? 'unknown'}) is gone`,
    acts: [{ what: 'judge it under a snapshot that is there: `gcos scan run --mode full`', who: 'siv' }],
  }),
  recompute_failed: () => ({
    sentence: 'the last attempt to judge it failed',
    acts: [{ what: SCAN, who: 'siv' }],
  }),
  recompute_pending: () => ({ sentence: 'it is being judged anew', acts: [{ what: SCAN, who: 'siv' }] }),
  draft_ruleset: ({ of }) => ({
    sentence: `it was judged under ${of.ruleset ?? 'a ruleset'}, a draft that nobody approved`,
    acts: [
      {
        what: 'put the rules into force: `gcos ruleset propose`, approvals, `gcos ruleset activate`',
        who: 'council',
      },
    ],
  }),
  ruleset_not_in_force: ({ of }) => ({
    sentence: `it was judged under ${of.ruleset ?? 'a ruleset'}, which is not in force`,
    acts: [{ what: SCAN, who: 'siv' }],
  }),
  unknown: ({ of }) =>
    of.by === 'nobody'
      ? { sentence: 'nobody has judged it here yet', acts: [{ what: SCAN, who: 'siv' }] }
      : {
          sentence:
            'its verdict is unknown: its class, registry or profile cannot be resolved, or the decision about its collection is open',
          acts: [
            { what: 'settle its class, its profile and the decision about its collection', who: 'council' },
          ],
        },
  needs_input: ({ of }) => ({
    sentence: `the input gate has not accepted it${of.input_state === undefined ? '' : `: ${of.input_state.replaceAll('_', ' ')}`}`,
    acts: [{ what: 'correct what its birth says: `gcos input list`', who: 'siv' }],
  }),
  deferred_birth: ({ of }) => ({
    sentence:
      of.line === undefined
        ? 'it was never born, or its collection is in future scope'
        : of.line === 1
          ? 'its registry lists it, but it was never born'
          : 'its collection is in future scope',
    acts: [{ what: of.line === 1 ? 'have it born' : 'take its collection into scope', who: 'owner' }],
  }),
  coverage_not_scanned: () => ({
    sentence: 'coverage is required, and no scan has found out whether it is there',
    acts: [{ what: SCAN, who: 'siv' }],
  }),
  orphan: (facts) => {
    const gaps = gapsOf(facts);
    return {
      sentence:
        gaps.length === 0
          ? 'objects of it lack a required link'
          : `it lacks ${gaps.map((gap) => gap.wording).join(', ')}`,
      acts: gaps.map((gap) => ({ what: gap.act, who: 'owner' as const })),
    };
  },
  exception_lapsed: ({ of }) => {
    const codes = Object.values(of.links ?? {}).flatMap((found) => found.exception ?? []);
    return {
      sentence: `the exception it rests on does not hold any more: ${codes.join(', ') || 'of its objects'}`,
      acts: [
        { what: `renew ${codes.join(', ') || 'the exception'}, or give it what it lacks`, who: 'owner' },
      ],
    };
  },
  owner_missing: (facts) => ({
    sentence: 'nobody is named who answers for it',
    acts: [
      {
        what: gapText({
          action: 'name_owner',
          link: 'owner',
          ...placeOf(facts),
          scope: facts.of.scope ?? null,
        }),
        who: 'owner',
      },
    ],
  }),
  profile_missing: ({ of }) => ({
    sentence:
      of.verdict === 'unknown' || of.verdict === undefined
        ? 'no coverage profile is known for it'
        : 'nobody has come as far as looking for its coverage profile',
    acts: [{ what: 'write a coverage profile for its class, and put it into force', who: 'council' }],
  }),
  open_finding: ({ of }) => ({
    sentence: `finding ${of.finding ?? ''} is open: ${of.type ?? ''}, ${of.severity ?? ''}`,
    acts: [
      {
        what: `close ${of.finding ?? 'the finding'}: ${of.closed_when ?? 'see `gcos finding show`'}`,
        who: of.who ?? 'owner',
      },
    ],
  }),
};

const NOTHING: readonly WordedReason[] = [];

/** Everything that speaks against `subject`, in words. */
export function sayReasons(subject: GateSubject, text: string | null): readonly WordedReason[] {
  if (text === null) return NOTHING;
  const list = z.array(stored).parse(JSON.parse(text));
  // The finding about a gap closes with the gap: that is one act, not two.
  const gaps = new Set(
    list.flatMap((of) =>
      of.codes?.some((code) => code === 'orphan' || code === 'owner_missing') ? (of.scope ?? []) : [],
    ),
  );
  const worded = list.flatMap((of) =>
    (of.codes ?? [of.code ?? 'unknown']).map((code): WordedReason => {
      const scope = of.scope ?? null;
      const wording = WORDINGS[code]?.({ subject, of }) ?? { sentence: code.replaceAll('_', ' '), acts: [] };
      const many =
        of.by === 'members'
          ? ` (${of.objects} of its objects, such as ${(of.sample ?? []).map((each) => `\`${each}\``).join(', ')})`
          : '';
      return {
        reason: { code, scope, sentence: `${wording.sentence}${many}` },
        acts: wording.acts.map((act) => ({ ...act, scope, owner: of.owner ?? null })),
      };
    }),
  );
  return worded.map((each) =>
    each.reason.code === 'open_finding' && gaps.has(each.reason.scope ?? '') ? { ...each, acts: [] } : each,
  );
}
