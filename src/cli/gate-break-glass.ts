// `gcos gate break-glass`: a pass that overrides a block for minutes: one person requests it, another
// approves it, and a finding stays open until its subject has been re-evaluated.
import type { Command } from 'commander';
import {
  ACTIONS,
  type Action,
  type Pass,
  type PassSubject,
  type RequestedPass,
  STAGES,
  type Stage,
} from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { alignColumns, type Output, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, nextOf, parseLimit } from './page.js';
import { choice, whole, words } from './parse.js';

interface BreakGlassFlags extends CommonFlags {
  readonly group?: string;
  readonly stage?: Stage;
  readonly action?: Action;
  readonly reason?: string;
  readonly minutes?: number;
  readonly as?: string;
  readonly dryRun?: boolean;
  readonly list?: boolean;
  readonly limit: number;
  readonly after?: string;
  readonly close?: string;
}

const subjectText = (subject: PassSubject): string =>
  subject.kind === 'group' ? `group ${subject.inventoryKey}` : `${subject.collection} / ${subject.code}`;
const termsText = ({ subject, stage, action }: Pass): string =>
  `${action} ${subjectText(subject)} at stage ${stage}`;

const timeText = (pass: Pass): string => {
  if (pass.status === 'lapsed') return `was in force from ${pass.beganAt}; its approval no longer stands`;
  if (pass.endsAt !== null)
    return pass.status === 'in_force' ? `in force until ${pass.endsAt}` : `ended ${pass.endsAt}`;
  return pass.status === 'waiting'
    ? `${pass.minutes} minutes from its approval, which must come before ${pass.approveBy}`
    : 'never in force';
};

function requestedLines({ pass, opened }: RequestedPass, dryRun: boolean, out: Output): string[] {
  const title = opened
    ? `${pass.code} waits for request ${pass.approvalRef}${dryRun ? '; rolled back' : ''}`
    : `${pass.code} has the same terms and ${pass.status === 'waiting' ? `waits for request ${pass.approvalRef}` : `is ${timeText(pass)}`}: no request was opened`;
  return [
    out.tone('warn', title),
    ...alignColumns([
      ['for', termsText(pass)],
      ['time', timeText(pass)],
    ]),
    ...(dryRun || pass.status !== 'waiting'
      ? []
      : [
          `next: another person approves it, with their own login, with \`gcos request approve ${pass.approvalRef}\``,
        ]),
  ];
}

function passLines(passes: readonly Pass[], next: string | null): string[] {
  if (passes.length === 0) return ['no break-glass passes'];
  return [
    ...tableLines(
      ['code', 'status', 'for', 'time', 'by', 're-evaluated'],
      passes.map((pass) => [
        pass.code,
        pass.status,
        termsText(pass),
        timeText(pass),
        pass.requestedBy,
        pass.beganAt === null ? '' : (pass.verifiedAt ?? 'not yet'),
      ]),
    ),
    ...moreLines(next),
  ];
}

function subjectOf(
  collection: string | undefined,
  code: string | undefined,
  group: string | undefined,
): PassSubject {
  if (group !== undefined && collection === undefined) return { kind: 'group', inventoryKey: group };
  if (group === undefined && collection !== undefined && code !== undefined)
    return { kind: 'object', collection, code };
  throw cliErrors.usage_invalid('give a collection and a code, or --group with a key');
}

/** Adds the command to `gcos gate`. */
export function addBreakGlass(gate: Command): Command {
  return gate.addCommand(
    makeCommand(
      'break-glass',
      'request a pass that overrides a block for minutes; another person must approve it, and a finding stays open until the subject is re-evaluated',
    )
      .argument('[collection]', 'the collection of the object')
      .argument('[code]', 'its code')
      .option('--group <key>', 'a group instead, by its key or that of its inventory group')
      .addOption(choice('--stage <stage>', 'the stage of the release', STAGES))
      .addOption(choice('--action <action>', 'the action to allow', ACTIONS))
      .option('--reason <text>', 'why it cannot wait', words('--reason'))
      .option(
        '--minutes <n>',
        'how long it is in force once approved; default: the setting gate.break_glass',
        whole('--minutes', 1, 1_000_000),
      )
      .option('--as <person>', 'act for this person; requires a login with that right')
      .option('--dry-run', 'run everything, show the result, and roll back')
      .option('--list', 'list the passes, the latest first')
      .option('--limit <n>', 'with --list: how many at most', parseLimit, DEFAULT_LIMIT)
      .option('--after <code>', 'with --list: continue after this code')
      .option('--close <code>', 'close a pass early')
      .action((collection: string | undefined, code: string | undefined, flags: BreakGlassFlags) =>
        runCommand(flags, async (context) => {
          const { out } = context;
          const { as, dryRun, limit, after } = flags;
          if (flags.list) {
            const passes = await withGcos(context, (gcos) =>
              gcos.breakGlass.list({ limit, ...given({ after }) }),
            );
            const next = nextOf(passes, limit, (pass) => pass.code);
            out.result({ passes, next }, () => passLines(passes, next));
            return undefined;
          }
          const { close } = flags;
          if (close !== undefined) {
            const pass = await withGcos(context, (gcos) =>
              gcos.breakGlass.close(close, given({ as, dryRun })),
            );
            out.result({ pass, dry_run: dryRun === true }, () => [
              `${pass.code} is closed${dryRun ? '; rolled back' : ''}: ${termsText(pass)}`,
            ]);
            return undefined;
          }
          const { stage, action, reason, minutes } = flags;
          if (stage === undefined || action === undefined || reason === undefined)
            throw cliErrors.usage_invalid('a break-glass pass needs --stage, --action and --reason');
          const request = {
            subject: subjectOf(collection, code, flags.group),
            ...{ stage, action },
            ...(minutes === undefined ? {} : { minutes }),
          };
          const requested = await withGcos(context, (gcos) =>
            gcos.breakGlass.request(request, { reason, ...given({ as, dryRun }) }),
          );
          out.result({ ...requested, dry_run: dryRun === true }, () =>
            requestedLines(requested, dryRun === true, out),
          );
          return undefined;
        }),
      ),
  );
}
