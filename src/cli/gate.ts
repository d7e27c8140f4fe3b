// `gcos gate`: check whether a release step is allowed, and look up past checks. Its own exit codes: 0 for
// allow and allow_and_rescan; 2 for block, for everything that could not be decided, including an unreachable
// database, and for every question as of another time (--at), which is no decision; 3 only for an invalid
// question.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { resultsOfCheck } from '../answer/report/index.js';
import {
  ACTIONS,
  type Action,
  completeQuestions,
  DEADLINE_MS,
  DEFAULT_ACTION,
  DEFAULT_STAGE,
  FRESH_DEADLINE_MS,
  type FullQuestion,
  type GateCheck,
  type GateQuestion,
  openGcos,
  parseManifest,
  STAGES,
  type Stage,
  undecided,
  withinDeadline,
} from '../index.js';
import { formatDuration } from '../kernel/index.js';
import { type CommonFlags, type Context, makeCommand, runCommand, withGcos } from './command.js';
import { type ConfirmFlags, confirm, confirmOption } from './confirm.js';
import { cliErrors } from './errors.js';
import { addBreakGlass } from './gate-break-glass.js';
import { asOfLines, checkLines, listLines, pastLines } from './gate-text.js';
import { DEFAULT_LIMIT, given, parseLimit } from './page.js';
import { choice, duration, idOf, time, whole } from './parse.js';
import { type FormatFlags, formatOption, isReport, printReport, withFormat } from './report.js';

interface CheckFlags extends FormatFlags {
  readonly group?: string;
  readonly file?: string;
  readonly stage?: Stage;
  readonly action?: Action;
  readonly fresh?: boolean;
  readonly at?: string;
}

function readManifest(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw cliErrors.usage_invalid(`--file: cannot read \`${file}\``, { cause });
  }
}

function questionsOf(
  collection: string | undefined,
  code: string | undefined,
  flags: CheckFlags,
): readonly FullQuestion[] {
  const { group, file } = flags;
  const requested = given({ stage: flags.stage, action: flags.action });
  const forms = [collection !== undefined, group !== undefined, file !== undefined].filter(Boolean).length;
  if (forms !== 1 || (collection === undefined) !== (code === undefined))
    throw cliErrors.usage_invalid(
      'give a collection and a code, --group with a key, or --file with a manifest',
    );
  const questions: readonly GateQuestion[] =
    file !== undefined
      ? parseManifest(readManifest(file), requested)
      : group !== undefined
        ? [{ group, ...requested }]
        : [{ collection: collection ?? '', code: code ?? '', ...requested }];
  return completeQuestions(questions);
}

function deadlineOf(timeout: string | undefined, fresh: boolean): number {
  if (timeout === undefined) return fresh ? FRESH_DEADLINE_MS : DEADLINE_MS;
  return duration('--timeout')(timeout);
}

/** Enough time to write the output. */
const LEAVE_MS = 50;

/** The answer by the deadline, including the time to connect. INVARIANT: any error on the way is a block. */
async function ask(
  context: Context,
  questions: readonly FullQuestion[],
  options: { readonly deadlineMs: number; readonly fresh: boolean },
): Promise<GateCheck> {
  const { deadlineMs, fresh } = options;
  const started = performance.now();
  const givenUp = new AbortController();
  const work = async (): Promise<GateCheck> => {
    const signal = AbortSignal.any([context.signal, givenUp.signal]);
    const gcos = await openGcos(context.config, { signal });
    try {
      return await gcos.gates.check(questions, {
        deadlineMs: deadlineMs - (performance.now() - started),
        fresh,
      });
    } finally {
      await gcos.close();
    }
  };
  try {
    return await withinDeadline(deadlineMs, work());
  } catch (error) {
    givenUp.abort(new Error('the gate has given its answer'));
    // A connection that does not close must not delay the answer.
    setTimeout(() => process.exit(), LEAVE_MS).unref();
    return undecided(questions, error);
  }
}

function check(): Command {
  return makeCommand(
    'check',
    'check whether a release step is allowed; exit 0 allow, allow_and_rescan or only observed · 2 block, not decidable, or --at · 3 invalid question',
  )
    .argument('[collection]', 'the collection of the object')
    .argument('[code]', 'its code; may contain any character, also `:` and `/`')
    .option(
      '--group <key>',
      'a group instead, by its key or that of its inventory group; all its scopes are checked',
    )
    .option('--file <manifest>', 'everything a release touches, as JSON; - is standard input')
    .addOption(
      choice(
        '--stage <stage>',
        `the stage of the release; default ${DEFAULT_STAGE}; a manifest may be stricter, not more lenient`,
        STAGES,
      ),
    )
    .addOption(
      choice(
        '--action <action>',
        `the intended action; default ${DEFAULT_ACTION}; a manifest may be stricter, not more lenient`,
        ACTIONS,
      ),
    )
    .option(
      '--fresh',
      'first take in and evaluate what the host has committed by now, or wait for the worker that does',
    )
    .option(
      '--at <time>',
      'instead of a check: what the gate would answer if verdicts, exceptions and passes had to be valid then; no decision, not recorded, always exit 2',
      time('--at'),
    )
    .addOption(formatOption())
    .action((collection: string | undefined, code: string | undefined, flags: CheckFlags) => {
      const { timeout, ...rest } = withFormat(flags);
      const { at } = flags;
      if (at !== undefined)
        return runCommand(withFormat(flags), async (context) => {
          if (flags.fresh === true)
            throw cliErrors.usage_invalid('--at is no check: it cannot be combined with --fresh');
          if (isReport(flags))
            throw cliErrors.usage_invalid('--at is no check: it is printed only as text or JSON');
          const questions = questionsOf(collection, code, flags);
          const found = await withGcos(context, (gcos) => gcos.gates.asOf(questions, at));
          context.out.result(found, () => asOfLines(found, context.out));
          // INVARIANT: a pipeline cannot take this for an allow.
          return 2;
        });
      return runCommand(rest, async (context) => {
        const questions = questionsOf(collection, code, flags);
        const fresh = flags.fresh === true;
        const asReport = isReport(flags);
        const answer = await ask(context, questions, { deadlineMs: deadlineOf(timeout, fresh), fresh });
        if (asReport)
          printReport(context, flags, { title: 'gcos gate check', results: resultsOfCheck(answer) });
        else context.out.result(answer, () => checkLines(answer, context.out));
        return answer.answer === 'block' ? 2 : undefined;
      });
    });
}

function why(): Command {
  return makeCommand('why', 'show a past check, by its number, with all reasons')
    .argument('<id>', 'the number of the check', idOf('check'))
    .option('--limit <n>', 'how many of its decisions', parseLimit, DEFAULT_LIMIT)
    .option('--after <item>', 'continue after this item', whole('--after', 0, 1_000_000), 0)
    .action((id: bigint, flags: CommonFlags & { limit: number; after: number }) =>
      runCommand(flags, (context) =>
        withGcos(context, async (gcos) => {
          const found = await gcos.gates.why(id, { limit: flags.limit, after: flags.after });
          context.out.result(found, () => pastLines(found, context.out));
          return undefined;
        }),
      ),
    );
}

function list(): Command {
  return makeCommand('list', 'list the latest checks with their answers')
    .option('--limit <n>', 'how many', parseLimit, DEFAULT_LIMIT)
    .option('--after <id>', 'continue after this check', idOf('--after'))
    .action((flags: CommonFlags & { limit: number; after?: bigint }) =>
      runCommand(flags, (context) =>
        withGcos(context, async (gcos) => {
          const { limit, after } = flags;
          const page = await gcos.gates.list({ limit, ...given({ after }) });
          context.out.result(page, () => listLines(page));
          return undefined;
        }),
      ),
    );
}

interface PruneFlags extends ConfirmFlags {
  readonly before: string;
  readonly dryRun?: boolean;
}

function prune(): Command {
  return makeCommand('prune', 'delete decisions made before a time; needs the privileges of the pruner role')
    .requiredOption('--before <time>', 'for example 2026-01-01', time('--before'))
    .option('--dry-run', 'count them without deleting any')
    .addOption(confirmOption())
    .action((flags: PruneFlags) =>
      runCommand(flags, (context) =>
        withGcos(context, async (gcos) => {
          const { before, dryRun = false, yes = false } = flags;
          if (!dryRun && !yes) {
            const { decisions, checks } = await gcos.gates.prune({ before, dryRun: true });
            const what = `delete ${decisions} decisions of ${checks} checks, made before ${before},`;
            if (checks > 0n) await confirm(context, flags, what);
          }
          const done = await gcos.gates.prune({ before, dryRun });
          const verb = dryRun ? 'would be deleted' : 'deleted';
          context.out.result(done, () => [`${done.decisions} decisions of ${done.checks} checks ${verb}`]);
          return undefined;
        }),
      ),
    );
}

export function gateCommand(): Command {
  const gate = new Command('gate')
    .description(
      `check whether a release may go to production; answers within ${formatDuration(DEADLINE_MS)} by default (--timeout)`,
    )
    .addCommand(check())
    .addCommand(why())
    .addCommand(list())
    .addCommand(prune());
  return addBreakGlass(gate);
}
