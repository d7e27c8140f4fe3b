// `gcos gate break-glass`: a way past the gate for minutes: one person asks, another approves, and a finding stays open until what went
// through has been looked at again.
import { type Command, Option } from 'commander';
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
import { alignColumns, type Output } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, nextOf, parseLimit, parseNumber, printable } from './page.js';

interface BreakGlassFlags extends CommonFlags {
  readonly group?: string;
  readonly stage?: Stage;
  readonly action?: Action;
  readonly reason?: string;
  readonly minutes?: bigint;
  readonly as?: string;
  readonly dryRun?: boolean;
  readonly list?: boolean;
  readonly limit: number;
  readonly after?: string;
  readonly close?: string;
}

const subjectText = (subject: PassSubject): string =>
  printable(
    subject.kind === 'group' ? `group ${subject.inventoryKey}` : `${subject.collection} / ${subject.code}`,
  );
const termsText = ({ subject, stage, action }: Pass): string =>
  `${action} ${subjectText(subject)} at stage ${stage}`;

const timeText = (pass: Pass): string => {
  if (pass.endsAt !== null)
    return pass.status === 'in_force' ? `open until ${pass.endsAt}` : `ended ${pass.endsAt}`;
  return pass.status === 'waiting'
    ? `${pass.minutes} minutes from its approval, which must come before ${pass.approveBy}`
    : 'never opened';
};

function requestedLines({ pass, opened }: RequestedPass, dryRun: boolean, out: Output): string[] {
  const title = opened
    ? `${pass.code} waits for request ${pass.approvalRef}${dryRun ? '; rolled back' : ''}`
    : `${pass.code} is the same and ${pass.status === 'waiting' ? `waits for request ${pass.approvalRef}` : timeText(pass)}: nothing was opened`;
  return [
    out.tone('warn', title),
    ...alignColumns([
      ['for', termsText(pass)],
      ['time', timeText(pass)],
    ]),
    ...(dryRun || pass.status !== 'waiting'
      ? []
      : [
          `next: another person, with a login of their own, approves it with \`gcos request approve ${pass.approvalRef}\``,
        ]),
  ];
}

function passLines(passes: readonly Pass[], next: string | null): string[] {
  if (passes.length === 0) return ['nobody has broken the glass'];
  return [
    ...alignColumns([
      ['code', 'status', 'for', 'time', 'by', 'looked at since'],
      ...passes.map((pass) => [
        pass.code,
        pass.status,
        termsText(pass),
        timeText(pass),
        pass.requestedBy,
        pass.beganAt === null ? '' : (pass.verifiedAt ?? 'not yet'),
      ]),
    ]),
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
      'ask for a way past the gate, for minutes; another person has to approve it, and a finding stays open until it was looked at again',
    )
      .argument('[collection]', 'the collection of the object')
      .argument('[code]', 'its code')
      .option('--group <key>', 'a group instead, by its key or that of its inventory group')
      .addOption(new Option('--stage <stage>', 'the stage of the release').choices(STAGES))
      .addOption(new Option('--action <action>', 'what is to be done').choices(ACTIONS))
      .option('--reason <text>', 'why it cannot wait')
      .option(
        '--minutes <n>',
        'how long it is open once approved; the setting says, if left out',
        parseNumber,
      )
      .option('--as <person>', 'act for this person; only for a login that may')
      .option('--dry-run', 'do everything, show the result, and roll it back')
      .option('--list', 'show those there are, the latest first')
      .option('--limit <n>', 'with --list: how many at most', parseLimit, DEFAULT_LIMIT)
      .option('--after <code>', 'with --list: go on after this one')
      .option('--close <code>', 'close one before its time')
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
            throw cliErrors.usage_invalid('breaking the glass takes --stage, --action and --reason');
          const request = {
            subject: subjectOf(collection, code, flags.group),
            ...{ stage, action },
            ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
          };
          const requested = await withGcos(context, (gcos) =>
            gcos.breakGlass.ask(request, { reason, ...given({ as, dryRun }) }),
          );
          out.result({ ...requested, dry_run: dryRun === true }, () =>
            requestedLines(requested, dryRun === true, out),
          );
          return undefined;
        }),
      ),
  );
}
