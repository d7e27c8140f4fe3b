// `gcos log`: the tamper-evident log of acts, ledgers and sealed gate answers.
import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { type KeptHead, type LogVerification, parseKeptHead } from '../index.js';
import { valueErrors } from '../kernel/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, formatCount, type Output, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, parseLimit } from './page.js';
import { position } from './parse.js';

interface ShowFlags extends CommonFlags {
  readonly limit: number;
  readonly after?: bigint;
  readonly kind?: string;
}

interface VerifyFlags extends CommonFlags {
  readonly head?: string;
}

function show(): Command {
  return makeCommand('show', 'show the links of the log, newest first')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <position>', 'continue after this position', position('--after'))
    .option('--kind <kind>', 'only this kind, for example request.approved')
    .action((flags: ShowFlags) =>
      runCommand(flags, async (context) => {
        const { limit, after, kind } = flags;
        const page = await withGcos(context, (gcos) => gcos.log.show({ limit, ...given({ after, kind }) }));
        context.out.result(page, () => [
          ...tableLines(
            ['position', 'recorded at', 'kind', 'subject', 'login', 'hash'],
            page.links.map((link) => [
              String(link.position),
              link.recordedAt,
              link.kind,
              link.subject,
              link.login,
              link.hash.slice(0, 16),
            ]),
          ),
          ...moreLines(page.next),
        ]);
        return undefined;
      }),
    );
}

function head(): Command {
  return makeCommand('head', 'print the newest digest, to be kept outside the database').action(
    (flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const newest = await withGcos(context, (gcos) => gcos.log.head());
        context.out.result({ head: newest }, () =>
          newest === null
            ? [context.out.tone('bad', 'the log is empty')]
            : [
                newest.witness,
                `link ${newest.position}, ${newest.kind} ${newest.subject}, recorded at ${newest.recordedAt}`,
              ],
        );
        return newest === null ? 2 : undefined;
      }),
  );
}

/** A file with the output of `gcos log head`, or the head itself. */
function keptHead(given: string): KeptHead {
  if (existsSync(given)) return parseKeptHead(readFileSync(given, 'utf8'));
  if (given.includes('@')) return parseKeptHead(given);
  throw valueErrors.value_invalid(`--head: \`${given}\` is neither a file nor DIGEST@POSITION`, {
    help: '`gcos log head` prints the head; keep its output in a file elsewhere',
  });
}

function verifiedLines(found: LogVerification, out: Output): string[] {
  const [first] = found.differences;
  const more = found.differing - 1;
  return [
    ...alignColumns([
      ['links', `${formatCount(found.links)} hashed again and compared with what they record`],
      [
        'gate answers',
        `${formatCount(found.answers)} hashed again in ${formatCount(found.seals)} sealed ranges; ${formatCount(found.unsealed)} wait for a seal`,
      ],
      ...(found.prunedAnswers === 0n
        ? []
        : [['pruned', `${formatCount(found.prunedAnswers)} answers; their sealed digests are kept`]]),
      ...(found.head === null ? [] : [['head', found.head.witness]]),
    ]),
    ...(first === undefined
      ? [
          out.tone(
            'good',
            found.keptHead === null
              ? 'nothing differs. Only a head that was kept elsewhere shows a log that was rewritten as a whole: --head'
              : `nothing differs, and the log contains the head that was kept at link ${found.keptHead.position}`,
          ),
        ]
      : [
          out.tone(
            'bad',
            `the first difference is at ${first.position === null ? 'a row without a link' : `link ${first.position}`}: ${first.text}${first.subject === '' ? '' : ` (${first.subject})`}`,
          ),
          ...found.differences
            .slice(1, 20)
            .map(
              (each) =>
                `  ${each.position === null ? 'no link' : `link ${each.position}`}: ${each.text} (${each.subject})`,
            ),
          ...(more > 19 ? [`  and ${formatCount(more - 19)} more; --json lists them`] : []),
        ]),
  ];
}

function verify(): Command {
  return makeCommand(
    'verify',
    'compute every hash again and compare every recorded row; name the first link that differs and exit 2',
  )
    .option('--head <file|digest@position>', 'a head that `gcos log head` printed earlier, kept elsewhere')
    .action((flags: VerifyFlags) =>
      runCommand(flags, async (context) => {
        const kept = flags.head === undefined ? undefined : keptHead(flags.head);
        const bar = context.out.progress('verifying');
        const found = await withGcos(context, (gcos) =>
          gcos.log.verify({
            ...given({ head: kept }),
            onProgress: (done, total, step) => bar.update(Number(done), Number(total), step),
          }),
        );
        bar.finish(found.intact ? 'nothing differs' : `${found.differing} differences`);
        context.out.result(found, () => verifiedLines(found, context.out));
        return found.intact ? undefined : 2;
      }),
    );
}

export function logCommand(): Command {
  const group = new Command('log').description(
    'the tamper-evident log: acts, ledgers, sealed answers of the gate',
  );
  for (const command of [show(), head(), verify()]) group.addCommand(command);
  return group;
}
