// Owns the wording of reasons: each reason has a code, a scope, one sentence, and the act that would remove
// it. The database stores codes and facts; the sentences are built when a decision is read.
import { z } from 'zod';
import { type GapPlace, gapText, linkNoun } from '../fix/index.js';
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
  by: z.enum(['object', 'group', 'members', 'none']).optional(),
  verdict: z.string().optional(),
  line: z.number().optional(),
  stale_after: z.string().optional(),
  dirty_reason: z.string().optional(),
  dirtied_at: z.string().optional(),
  snapshot: z.string().optional(),
  ruleset: z.string().optional(),
  input_state: z.string().optional(),
  lifecycle: z.string().optional(),
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
  watched_at: z.string().nullish(),
  source: z.string().optional(),
  closed_at: z.string().nullish(),
  person: z.string().nullish(),
  since: z.string().nullish(),
  why: z.string().nullish(),
  closed_when: z.string().optional(),
});
type StoredReason = z.infer<typeof stored>;

export interface GateReason {
  readonly code: string;
  /** Null: the reason is not specific to a scope. */
  readonly scope: string | null;
  readonly sentence: string;
}

/**
 * The bodies that can act; `owner`: the owner in the scope, else the scope's default owner, else the council.
 * `siv` is the body of the setting finding.bodies that receives findings about GCOS processes.
 */
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

const SCAN = 're-evaluate it: `gcos scan run`';
const TAKE_IN = 'take it in and evaluate it: `gcos worker run`, or ask with `--fresh`';
/**
 * A scan of an object without a birth finds what the last one found: only a birth changes its verdict. A
 * dirty mark may be that birth.
 */
const UNBORN_LINE = 1;
const ONLY_SCANNED_AGAIN = new Set([
  'stale',
  'recompute_failed',
  'recompute_pending',
  'ruleset_not_in_force',
]);

/** What makes the input gate accept an object in each state; elsewhere the fields of its birth are wrong. */
const INPUT_ACTS: Readonly<Record<string, string>> = {
  untrusted_source:
    'decide whether its source is trusted: `gcos input trust`; `gcos input list` names the cause',
  duplicate: 'leave one birth of its key: `gcos input list`',
  conflict: 'leave one birth of its key: `gcos input list`',
  stale: 'register it again with a current birth, or change the age its contract allows: `gcos input list`',
  quarantined: 'release it: `gcos input release`',
};

interface Facts {
  readonly subject: GateSubject;
  readonly of: StoredReason;
}

/** The subject of an act: the object, or the container that represents it. */
function placeOf({ subject, of }: Facts): Pick<GapPlace, 'kind' | 'subject' | 'collection'> {
  if ('group' in subject) return { kind: 'group', subject: subject.group, collection: null };
  return of.by === 'group'
    ? { kind: 'collection', subject: subject.collection, collection: null }
    : { kind: 'object', subject: subject.code, collection: subject.collection };
}

/** The missing links, each with the act that would provide it. */
function gapsOf(facts: Facts): readonly { readonly sentence: string; readonly act: string }[] {
  const { of } = facts;
  const place = placeOf(facts);
  return Object.entries(of.links ?? {})
    .filter(([, found]) => found.state === 'missing' || found.state === 'conflict')
    .map(([link, { state, tool }]) => ({
      sentence: state === 'conflict' ? 'several bodies claim to own it' : `it has no ${linkNoun(link)}`,
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
    acts: [{ what: 'name a registered object, or register its birth', who: 'owner' }],
  }),
  no_ruleset: () => ({
    sentence: 'no ruleset is in force: no verdict was evaluated under approved rules',
    acts: [
      {
        what: 'activate the rules: `gcos ruleset propose`, approvals, `gcos ruleset activate`',
        who: 'council',
      },
    ],
  }),
  no_scope: () => ({
    sentence: 'the ruleset in force has no responsibility scope, so nothing can be verified',
    acts: [{ what: 'activate a responsibility scope and activate the rules', who: 'council' }],
  }),
  ledger_not_closed: ({ of }) => ({
    sentence:
      of.run == null
        ? 'no ledger was ever closed: it is unknown whether every object is accounted for'
        : `the last ledger (run ${of.run}) does not close`,
    acts: [
      {
        what: 'find what is missing with `gcos ledger verify`, and close a ledger: `gcos scan run --mode full`',
        who: 'siv',
      },
    ],
  }),
  worker_overdue: ({ of }) => ({
    sentence: `workers are overdue: ${(of.workers ?? []).join(', ')}; changes may have been missed`,
    acts: [{ what: 'restart them, or stop them gracefully: `gcos worker status`', who: 'siv' }],
  }),
  unwatched: ({ of }) => ({
    sentence:
      of.watched_at == null
        ? 'no worker has ever watched the host: changes may have been missed'
        : `no worker has watched the host since ${of.watched_at}: changes may have been missed`,
    acts: [{ what: 'start `gcos worker run`, or ask with `--fresh`', who: 'siv' }],
  }),
  source_unwatched: ({ of }) => ({
    sentence: `the source ${of.source ?? ''} was last read as of ${of.watched_at ?? 'an unknown time'}: changes may have been missed`,
    acts: [
      {
        what: `read it: \`gcos source sync ${of.source ?? ''}\`; \`gcos source list\` says why it failed`,
        who: 'siv',
      },
    ],
  }),
  paused: ({ of }) => ({
    sentence: `all workers are paused by ${of.person ?? 'an unknown person'} since ${of.since ?? 'an unknown time'} (${of.why ?? 'no reason given'}): changes are missed`,
    acts: [{ what: 'let the workers continue: `gcos resume`', who: 'siv' }],
  }),
  ledger_too_old: ({ of }) => ({
    sentence: `the last closed ledger is of ${of.closed_at ?? 'an unknown time'}: a change that was missed since may be undiscovered`,
    acts: [
      {
        what: 'close a ledger: `gcos scan run --mode full`; `gcos worker status` shows why the audit of the worker did not',
        who: 'siv',
      },
    ],
  }),
  stale: ({ of }) => ({
    sentence: `its verdict expired at ${of.stale_after ?? 'an unknown time'}`,
    acts: [{ what: SCAN, who: 'siv' }],
  }),
  dirty: ({ of }) => ({
    sentence: `it has been waiting for re-evaluation since ${of.dirtied_at ?? 'some time'} (${of.dirty_reason ?? 'no reason given'})`,
    acts: [{ what: SCAN, who: 'siv' }],
  }),
  dangling_snapshot: ({ of }) => ({
    sentence: `the snapshot it was evaluated under (${of.snapshot ?? 'unknown'}) is gone`,
    acts: [{ what: 'evaluate it under an existing snapshot: `gcos scan run --mode full`', who: 'siv' }],
  }),
  recompute_failed: () => ({
    sentence: 'the last attempt to evaluate it failed',
    acts: [{ what: SCAN, who: 'siv' }],
  }),
  draft_ruleset: ({ of }) => ({
    sentence: `it was evaluated under ${of.ruleset ?? 'a ruleset'}, a draft without approval`,
    acts: [
      {
        what: 'activate the rules: `gcos ruleset propose`, approvals, `gcos ruleset activate`',
        who: 'council',
      },
    ],
  }),
  ruleset_not_in_force: ({ of }) => ({
    sentence: `it was evaluated under ${of.ruleset ?? 'a ruleset'}, which is not in force`,
    acts: [{ what: SCAN, who: 'siv' }],
  }),
  unknown: ({ of }) =>
    of.by === 'none'
      ? { sentence: 'it has not been evaluated in this scope yet', acts: [{ what: TAKE_IN, who: 'siv' }] }
      : {
          sentence:
            'its verdict is unknown: its class, registry or profile cannot be resolved, or the decision about its collection is open',
          acts: [
            { what: 'resolve its class, its profile and the decision about its collection', who: 'council' },
          ],
        },
  retired: ({ of, subject }) => ({
    sentence: `its lifecycle has ended${of.lifecycle === undefined ? '' : ` (${of.lifecycle})`}: it may be read, but no longer written or run`,
    acts: [
      {
        what:
          'group' in subject
            ? 'use what replaces it'
            : `use another object instead of ${subjectOf(subject)} (\`gcos explain\` names what supersedes it, if anything does), or take its retirement back in its registry`,
        who: 'owner',
      },
    ],
  }),
  needs_input: ({ of }) => ({
    sentence: `the input gate has not accepted it${of.input_state === undefined ? '' : `: ${of.input_state.replaceAll('_', ' ')}`}`,
    acts: [
      {
        what: INPUT_ACTS[of.input_state ?? ''] ?? 'correct the fields of its birth: `gcos input list`',
        who: 'siv',
      },
    ],
  }),
  deferred_birth: ({ of }) => ({
    sentence:
      of.line === undefined
        ? 'it has no birth, or its collection is in future scope'
        : of.line === 1
          ? 'its registry lists it, but it has no birth'
          : 'its collection is in future scope',
    acts: [{ what: of.line === 1 ? 'register its birth' : 'take its collection into scope', who: 'owner' }],
  }),
  coverage_not_scanned: ({ of }) => {
    const unknown = Object.entries(of.links ?? {})
      .filter(([, found]) => found.state === 'unknown')
      .map(([link]) => linkNoun(link));
    return unknown.length === 0
      ? {
          sentence: 'coverage is required, and no scan has evaluated it',
          acts: [{ what: SCAN, who: 'siv' }],
        }
      : {
          sentence: `coverage is required, and the host has no data about its ${unknown.join(', ')}`,
          acts: [{ what: 'provide the tables that hold it: `gcos doctor` names them', who: 'council' }],
        };
  },
  orphan: (facts) => {
    const gaps = gapsOf(facts);
    return {
      sentence:
        gaps.length === 0
          ? 'some of its objects lack a required link'
          : gaps.map((gap) => gap.sentence).join('; '),
      acts: gaps.map((gap) => ({ what: gap.act, who: 'owner' as const })),
    };
  },
  exception_lapsed: ({ of }) => {
    const codes = Object.values(of.links ?? {}).flatMap((found) => found.exception ?? []);
    return {
      sentence: `the exception it rests on is no longer valid: ${codes.join(', ') || 'of its objects'}`,
      acts: [
        { what: `renew ${codes.join(', ') || 'the exception'}, or provide the missing link`, who: 'owner' },
      ],
    };
  },
  owner_missing: (facts) => ({
    sentence: 'it has no named owner',
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
        : 'its coverage profile has not been looked up yet',
    acts: [{ what: 'write a coverage profile for its class, and activate it', who: 'council' }],
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

/** All reasons against `subject`, as sentences. */
export function wordReasons(subject: GateSubject, text: string | null): readonly WordedReason[] {
  if (text === null) return NOTHING;
  const list = z.array(stored).parse(JSON.parse(text));
  // A finding about a gap closes with the gap: one act, not two.
  const gaps = new Set(
    list.flatMap((of) =>
      of.codes?.some((code) => code === 'orphan' || code === 'owner_missing') ? (of.scope ?? []) : [],
    ),
  );
  const worded = list.flatMap((of) =>
    (of.codes ?? [of.code ?? 'unknown']).map((code): WordedReason => {
      const scope = of.scope ?? null;
      const wording = WORDINGS[code]?.({ subject, of }) ?? { sentence: code.replaceAll('_', ' '), acts: [] };
      const acts = of.line === UNBORN_LINE && ONLY_SCANNED_AGAIN.has(code) ? [] : wording.acts;
      const many =
        of.by === 'members'
          ? ` (${of.objects} of its objects, such as ${(of.sample ?? []).map((each) => `\`${each}\``).join(', ')})`
          : '';
      return {
        reason: { code, scope, sentence: `${wording.sentence}${many}` },
        acts: acts.map((act) => ({ ...act, scope, owner: of.owner ?? null })),
      };
    }),
  );
  return worded.map((each) =>
    each.reason.code === 'open_finding' && gaps.has(each.reason.scope ?? '') ? { ...each, acts: [] } : each,
  );
}
