// `gcos exception`: gaps accepted for a limited time: request an exception, show its status and whether it is
// needed, revoke it.
import { Command } from 'commander';
import type {
  Exception,
  ExceptionDetail,
  ExceptionRequest,
  ExceptionSubject,
  RequestedException,
} from '../index.js';
import { EXCEPTION_STATUSES, type ExceptionStatus, subjectText } from '../rule/exception/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { alignColumns, formatCount, type Output, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, nextOf, parseLimit } from './page.js';
import { choice, span, time, words } from './parse.js';
import { requestLines } from './request.js';

interface RequestFlags extends CommonFlags {
  readonly group?: string;
  readonly collection?: string;
  readonly class?: string;
  readonly scope: string;
  readonly link?: string;
  readonly reason: string;
  readonly for?: number;
  readonly until?: string;
  readonly renew?: boolean;
  readonly as?: string;
  readonly dryRun?: boolean;
}

interface ListFlags extends CommonFlags {
  readonly status?: ExceptionStatus;
  readonly scope?: string;
  readonly limit: number;
  readonly after?: string;
}

interface RevokeFlags extends CommonFlags {
  readonly reason: string;
  readonly as?: string;
  readonly dryRun?: boolean;
}

function subjectOf(
  collection: string | undefined,
  code: string | undefined,
  flags: RequestFlags,
): ExceptionSubject {
  const subjects: ExceptionSubject[] = [
    ...(collection === undefined || code === undefined
      ? []
      : [{ kind: 'object', collection, code } as const]),
    ...(flags.group === undefined ? [] : [{ kind: 'group', inventoryKey: flags.group } as const]),
    ...(flags.collection === undefined
      ? []
      : [{ kind: 'collection', collection: flags.collection } as const]),
    ...(flags.class === undefined ? [] : [{ kind: 'class', objectClass: flags.class } as const]),
  ];
  const [subject] = subjects;
  if (subject === undefined || subjects.length > 1 || (collection === undefined) !== (code === undefined))
    throw cliErrors.usage_invalid(
      'give a collection and a code, or one of --group, --collection and --class',
    );
  return subject;
}

function requestOf(subject: ExceptionSubject, flags: RequestFlags): ExceptionRequest {
  if ((flags.for === undefined) === (flags.until === undefined))
    throw cliErrors.usage_invalid(
      'give an end: --for 30d, or --until with a date; an exception cannot be unlimited',
    );
  const base = { subject, scope: flags.scope, ...given({ link: flags.link }) };
  return flags.for === undefined
    ? { ...base, until: flags.until ?? '' }
    : { ...base, seconds: flags.for / 1_000 };
}

const neededText = ({ units, needed }: Exception): string => {
  if (units === null) return '';
  const { covers, needing } = units;
  const counted = `${formatCount(needing)} of ${formatCount(covers)} ${covers === 1n ? 'unit' : 'units'}`;
  return needed === null ? `by ${counted}` : `${needed ? 'yes, by' : 'no,'} ${counted}`;
};

const termsText = ({ subject, scope, link }: Exception): string =>
  `${subjectText(subject)}, scope ${scope}, ${link === null ? 'any link' : `link ${link}`}`;

function requestedLines({ exception, opened }: RequestedException, dryRun: boolean, out: Output): string[] {
  const { code, status, approvalRef } = exception;
  const next =
    status === 'waiting'
      ? [`next: another person approves it with \`gcos request approve ${approvalRef}\`; then it is in force`]
      : [];
  return [
    opened
      ? out.tone('good', `${code} waits for request ${approvalRef}${dryRun ? '; rolled back' : ''}`)
      : out.tone(
          'warn',
          status === 'waiting'
            ? `${code} has the same terms and waits for request ${approvalRef}: no request was opened`
            : `${code} has the same terms and is in force until ${exception.expiresAt}: no request was opened; --renew requests another one`,
        ),
    ...alignColumns([
      ['about', termsText(exception)],
      ['until', exception.expiresAt],
      ['needed', neededText(exception)],
    ]),
    ...(dryRun ? [] : next),
  ];
}

function request(): Command {
  return makeCommand(
    'request',
    'request that a gap be accepted for a limited time; in force once the request is approved',
  )
    .argument('[collection]', 'the collection of one object')
    .argument('[code]', 'its code')
    .option('--group <key>', 'one group instead, by its key or that of its inventory group')
    .option('--collection <name>', 'a whole collection instead')
    .option('--class <name>', 'a whole class instead')
    .requiredOption('--scope <scope>', 'the responsibility scope of the gap')
    .option('--link <link>', 'the link that may be missing, for example owner; default: any link')
    .requiredOption('--reason <text>', 'why the gap is acceptable', words('--reason'))
    .option('--for <span>', 'how long, for example 30d or 12h', span('--for'))
    .option('--until <time>', 'until when, for example 2027-01-31 or 2027-01-31T12:00:00Z', time('--until'))
    .option('--renew', 'request a follow-up although one is in force')
    .option('--as <person>', 'act for this person; requires a login with that right')
    .option('--dry-run', 'run everything, show the result, and roll back')
    .action((collection: string | undefined, code: string | undefined, flags: RequestFlags) =>
      runCommand(flags, async (context) => {
        const request = requestOf(subjectOf(collection, code, flags), flags);
        const { reason, renew, as, dryRun } = flags;
        const requested = await withGcos(context, (gcos) =>
          gcos.exceptions.request(request, { reason, ...given({ renew, as, dryRun }) }),
        );
        context.out.result({ ...requested, dry_run: dryRun === true }, () =>
          requestedLines(requested, dryRun === true, context.out),
        );
        return undefined;
      }),
    );
}

function list(): Command {
  return makeCommand('list', 'list exceptions with their status, and whether any unit needs them')
    .addOption(choice('--status <word>', 'only with this status', EXCEPTION_STATUSES))
    .option('--scope <scope>', 'only in this scope')
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <code>', 'continue after this code')
    .action((flags: ListFlags) =>
      runCommand(flags, async (context) => {
        const { status, scope, limit, after } = flags;
        const exceptions = await withGcos(context, (gcos) =>
          gcos.exceptions.list(given({ status, scope, limit, after })),
        );
        const next = nextOf(exceptions, limit, (each) => each.code);
        context.out.result({ exceptions, next }, () =>
          exceptions.length === 0
            ? ['no exceptions']
            : [
                ...tableLines(
                  ['code', 'status', 'about', 'until', 'needed', 'request'],
                  exceptions.map((each) => [
                    each.code,
                    each.status,
                    termsText(each),
                    each.expiresAt,
                    neededText(each),
                    each.approvalRef ?? 'none',
                  ]),
                ),
                ...moreLines(next),
              ],
        );
        return undefined;
      }),
    );
}

function detailLines(found: ExceptionDetail, out: Output): string[] {
  const { revoked, fingerprint, request: requested } = found;
  const same =
    fingerprint.now === null
      ? 'no unit of it is relevant now'
      : fingerprint.now === fingerprint.atGrant
        ? 'unchanged'
        : `${fingerprint.now.slice(0, 12)} now: it changed`;
  return [
    out.tone(found.status === 'in_force' ? 'good' : 'warn', `${found.code} ${found.status}: ${found.why}`),
    ...alignColumns([
      ['about', termsText(found)],
      ['reason', found.reason],
      ['requested by', `${found.requestedBy}, ${found.grantedAt}`],
      ['until', found.expiresAt],
      ...(revoked === null ? [] : [['revoked', `by ${revoked.by}, ${revoked.at}: ${revoked.reason}`]]),
      ['fingerprint', `${fingerprint.atGrant.slice(0, 12)} at the request; ${same}`],
      ['needed', neededText(found)],
    ]),
    ...(found.needed === false
      ? ['all its units are covered without it: revoke it with `gcos exception revoke`']
      : []),
    '',
    ...(requested === null ? ['GCOS has no request for it'] : requestLines(requested)),
  ];
}

function show(): Command {
  return makeCommand('show', 'show one exception: its status and why, its request, and what it covers')
    .argument('<code>', 'for example GEX-0001')
    .action((code: string, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const found = await withGcos(context, (gcos) => gcos.exceptions.show(code));
        context.out.result(found, () => detailLines(found, context.out));
        return undefined;
      }),
    );
}

function revoke(): Command {
  return makeCommand('revoke', 'revoke an exception permanently')
    .argument('<code>', 'for example GEX-0001')
    .requiredOption('--reason <text>', 'why', words('--reason'))
    .option('--as <person>', 'act for this person; requires a login with that right')
    .option('--dry-run', 'run everything, show the result, and roll back')
    .action((code: string, flags: RevokeFlags) =>
      runCommand(flags, async (context) => {
        const { reason, as, dryRun } = flags;
        const revoked = await withGcos(context, (gcos) =>
          gcos.exceptions.revoke(code, { reason, ...given({ as, dryRun }) }),
        );
        context.out.result({ ...revoked, dry_run: dryRun === true }, () => [
          `${revoked.code} is revoked${dryRun ? '; rolled back' : ''}: ${termsText(revoked)}`,
          ...(dryRun ? [] : ['it accepts nothing from now on; the next scan re-evaluates its units']),
        ]);
        return undefined;
      }),
    );
}

export function exceptionCommand(): Command {
  const group = new Command('exception').description('gaps accepted for a limited time, with approval');
  for (const command of [request(), list(), show(), revoke()]) group.addCommand(command);
  return group;
}
