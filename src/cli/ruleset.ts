// `gcos ruleset`: versions of the rules: draft, list, show, compare, verify.
import { Command } from 'commander';
import type { Ruleset, RulesetDetail, RulesetDiff, RulesetDraft } from '../index.js';
import { showPerson } from '../record/approval/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, formatCount, type Output, TITLE, type Tone, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, nextOf, parseLimit } from './page.js';
import { words } from './parse.js';
import { activateCommand, planCommand, proposeCommand } from './ruleset-activation.js';
import { driftLines, noteDrift } from './ruleset-drift.js';

const TONES: Readonly<Record<Ruleset['status'], Tone>> = { draft: 'warn', active: 'good', superseded: 'dim' };

type Provenance = Ruleset['provenance'];

function partLines(provenance: Provenance): string[] {
  return alignColumns(
    provenance.parts.map((part) => [
      `  ${part.component}`,
      part.state === 'present' ? formatCount(part.count) : part.state,
      part.source,
      part.hash.slice(0, 12),
    ]),
  );
}

/** A rule without a mapping reaches everything, which is shown with every ruleset. */
function reachLine({ reach_everything: { unmapped, laws } }: Provenance): string {
  if (unmapped.length === 0) return 'every rule has a mapping';
  const named = laws.length === 0 ? '' : `: no mapping for ${laws.join(', ')}`;
  const noun = unmapped.length === 1 ? 'detector reaches' : 'detectors reach';
  return `${formatCount(unmapped.length)} ${noun} everything${named}`;
}

function draftLines(draft: Omit<RulesetDraft, 'content'>, dryRun: boolean): string[] {
  const done = dryRun ? 'would be drafted' : 'drafted';
  const known = draft.status === 'draft' ? 'a draft already' : `${draft.status}`;
  return [
    draft.created ? `${draft.version} ${done}` : `${draft.version} is ${known}: nothing to do`,
    ...partLines(draft.provenance),
    reachLine(draft.provenance),
    ...(draft.owner === null ? ['it has no owner: it can only be a draft'] : []),
  ];
}

function draft(): Command {
  return makeCommand('draft', 'make a version of the rules in the tables; equal rules have the same version')
    .option('--notes <text>', 'a remark to keep with a new version', words('--notes'))
    .option('--dry-run', 'show the version without writing it')
    .action((flags: CommonFlags & { notes?: string; dryRun?: boolean }) =>
      runCommand(flags, async (context) => {
        const dryRun = flags.dryRun === true;
        const options = { dryRun, ...given({ notes: flags.notes }) };
        const { made, drift } = await withGcos(context, async (gcos) => {
          const { content: _, ...drafted } = await gcos.rulesets.draft(options);
          return { made: drafted, drift: dryRun ? undefined : await noteDrift(gcos) };
        });
        context.out.result({ ...made, dryRun, ...given({ drift: drift }) }, () => [
          ...draftLines(made, dryRun),
          ...(drift === undefined ? [] : driftLines(drift)),
        ]);
        return undefined;
      }),
    );
}

function listLines(found: readonly Ruleset[], next: string | null, out: Output): string[] {
  if (found.length === 0) return ['no rulesets; `gcos ruleset draft` creates the first one'];
  const table = tableLines(
    ['version', 'status', 'family', 'detectors', 'owner', 'drafted', 'activated'],
    found.map((each) => [
      each.version,
      each.status,
      each.family,
      formatCount(each.provenance.measurement_ids.length),
      each.owner ?? 'none',
      each.createdAt,
      each.activatedAt === null
        ? '-'
        : `${each.activatedAt}${each.selfApproved === true ? ', self-approved' : ''}`,
    ]),
    (line, row) => out.tone(row === TITLE ? 'bold' : TONES[found[row]?.status ?? 'draft'], line),
  );
  return [...table, ...moreLines(next)];
}

function list(): Command {
  return makeCommand('list', 'list the versions, newest first')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <version>', 'continue after this version')
    .action((flags: CommonFlags & { limit: number; after?: string }) =>
      runCommand(flags, async (context) => {
        const { limit, after } = flags;
        const rulesets = await withGcos(context, (gcos) =>
          gcos.rulesets.list({ limit, ...given({ after }) }),
        );
        const next = nextOf(rulesets, limit, (each) => each.version);
        context.out.result({ rulesets, next }, () => listLines(rulesets, next, context.out));
        return undefined;
      }),
    );
}

function activatedText(ruleset: Ruleset): string {
  if (ruleset.activatedAt === null) return 'never';
  const self = ruleset.selfApproved === true ? ', self-approved' : '';
  return `${ruleset.activatedAt} by ${showPerson(ruleset.activatedBy ?? '', ruleset.activatedLevel)}, ${ruleset.approvalRef}${self}`;
}

function showLines(ruleset: RulesetDetail): string[] {
  const { provenance } = ruleset;
  return [
    ...alignColumns([
      ['ruleset', `${ruleset.version}, ${ruleset.status}, family ${ruleset.family}`],
      ['sha256', ruleset.contentHash],
      ['owner', ruleset.owner ?? 'none: it can only be a draft'],
      ['drafted', `${ruleset.createdAt} by ${ruleset.createdBy}`],
      ['activated', activatedText(ruleset)],
      ['plan', ruleset.planHash ?? '-'],
      ['supersedes', ruleset.supersedes ?? '-'],
      ['notes', ruleset.notes ?? '-'],
      ['laws', provenance.law_codes.join(', ') || '-'],
      ['absent', provenance.absent.join(', ') || 'nothing'],
      ['reach', reachLine(provenance)],
    ]),
    'components',
    ...partLines(provenance),
    ...(ruleset.content === undefined
      ? []
      : ['content', ...JSON.stringify(ruleset.content, null, 2).split('\n')]),
  ];
}

function show(): Command {
  return makeCommand('show', 'show one version: its components, and the person who activated it')
    .argument('<version>', 'gov-rs-…, or `active`')
    .option('--content', 'include all its rules')
    .action((version: string, flags: CommonFlags & { content?: boolean }) =>
      runCommand(flags, async (context) => {
        const content = flags.content === true;
        const ruleset = await withGcos(context, (gcos) => gcos.rulesets.show(version, { content }));
        context.out.result(ruleset, () => showLines(ruleset));
        return undefined;
      }),
    );
}

function diffLines({ from, to, lines }: RulesetDiff): string[] {
  if (lines.length === 0) return [`${from} and ${to} are equal`];
  const count = lines.length === 1 ? '1 change' : `${formatCount(lines.length)} changes`;
  return [`${from} → ${to}: ${count}`, ...lines.map((line) => `  ${line}`)];
}

function diff(): Command {
  return makeCommand('diff', 'describe the differences between two versions')
    .argument('<from>', 'gov-rs-…, `active`, or `current` for the rules in the tables')
    .argument('<to>', 'gov-rs-…, `active`, or `current`')
    .action((from: string, to: string, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const found = await withGcos(context, (gcos) => gcos.rulesets.diff(from, to));
        context.out.result(found, () => diffLines(found));
        return undefined;
      }),
    );
}

function verify(): Command {
  return makeCommand('verify', 'hash the stored bytes of a version again; exit 2 if the hash differs')
    .argument('<version>', 'gov-rs-…, or `active`')
    .action((version: string, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const proved = await withGcos(context, (gcos) => gcos.rulesets.verify(version));
        context.out.result(proved, () => [
          `${proved.version} is intact: ${formatCount(proved.bytes)} bytes hash to ${proved.contentHash}`,
        ]);
        return undefined;
      }),
    );
}

export function rulesetCommand(): Command {
  const group = new Command('ruleset').description('versions of the rules, identified by their content');
  const commands = [
    draft(),
    list(),
    show(),
    diff(),
    planCommand(),
    proposeCommand(),
    activateCommand(),
    verify(),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
