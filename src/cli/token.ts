// `gcos token`: API tokens of people and pipelines. A token is printed once, by `create`.
import { Command } from 'commander';
import type { CreatedToken, Permission, TokenLine } from '../index.js';
import { PERMISSIONS } from '../record/identity/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, type Output, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, nextOf, parseLimit } from './page.js';
import { nameOf, whole, words } from './parse.js';

interface CreateFlags extends CommonFlags {
  readonly permission: readonly Permission[];
  readonly person?: string;
  readonly pipeline?: boolean;
  readonly scope?: readonly string[];
  readonly owner?: readonly string[];
  readonly days?: number;
  readonly dryRun?: boolean;
}

const LONGEST_DAYS = 3_650;

/** Collects an option that may stand several times, or list its values with commas. */
const several = (text: string, before: readonly string[] | undefined): string[] => [
  ...(before ?? []),
  ...text.split(',').map((each) => each.trim()),
];

const holderOf = (each: Pick<TokenLine, 'person'>): string => each.person ?? 'a pipeline';

const limitsOf = ({ scopes, owners }: TokenLine): string =>
  [
    ...(scopes === null ? [] : [`scopes ${scopes.join(', ')}`]),
    ...(owners === null ? [] : [`owners ${owners.join(', ')}`]),
  ].join('; ');

function createdLines(created: CreatedToken, dryRun: boolean, out: Output): string[] {
  return [
    ...alignColumns([
      ['token', dryRun ? 'none: rolled back' : created.token],
      ['id', dryRun ? '–' : created.id],
      ['of', holderOf(created)],
      ['may', created.permissions.join(', ')],
      ['expires', created.expiresAt],
    ]),
    ...(dryRun
      ? []
      : [out.tone('warn', 'it is not stored and cannot be shown again: keep it where secrets are kept')]),
  ];
}

function create(): Command {
  return makeCommand('create', 'create an API token and print it, once')
    .argument('<name>', 'what it is for, for example "release pipeline"', words('name'))
    .requiredOption(
      '--permission <list>',
      `what it permits, of ${PERMISSIONS.join(', ')}; with commas, or several times`,
      several,
    )
    .option('--person <name>', 'for this person; by default yourself, for another a DBA', nameOf('--person'))
    .option('--pipeline', 'for a program and no person: read and gate only; a DBA')
    .option('--scope <list>', 'it reads only these scopes', several)
    .option('--owner <list>', 'it reads, and asks about, only what these bodies own', several)
    .option(
      '--days <n>',
      'how long it lasts; by default 90 (setting token.lifetime)',
      whole('--days', 1, LONGEST_DAYS),
    )
    .option('--dry-run', 'run everything, show the result, and roll back')
    .action((name: string, flags: CreateFlags) =>
      runCommand(flags, async (context) => {
        const { permission, person, pipeline, scope, owner, days } = flags;
        const dryRun = flags.dryRun === true;
        const options = given({ person, pipeline, scopes: scope, owners: owner, days });
        const created = await withGcos(context, (gcos) =>
          gcos.tokens.create({ name, permissions: permission, ...options }, { dryRun }),
        );
        const shown = dryRun ? { ...created, id: null, token: null } : created;
        context.out.result({ ...shown, dryRun }, () => createdLines(created, dryRun, context.out));
        return undefined;
      }),
    );
}

function list(): Command {
  return makeCommand(
    'list',
    'list all tokens, newest first: whose, what they permit, when they were last used',
  )
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <id>', 'continue after this token', nameOf('--after'))
    .action((flags: CommonFlags & { readonly limit: number; readonly after?: string }) =>
      runCommand(flags, async (context) => {
        const { limit, after } = flags;
        const tokens = await withGcos(context, (gcos) => gcos.tokens.list({ limit, ...given({ after }) }));
        const next = nextOf(tokens, limit, (each) => each.id);
        context.out.result({ tokens, next }, () =>
          tokens.length === 0
            ? ['no tokens']
            : [
                ...tableLines(
                  ['id', 'name', 'of', 'may', 'limits', 'status', 'expires', 'last used'],
                  tokens.map((each) => [
                    each.id,
                    each.name,
                    holderOf(each),
                    each.permissions.join(', '),
                    limitsOf(each),
                    each.revokedBy === null ? each.status : `revoked by ${each.revokedBy}`,
                    each.expiresAt,
                    each.lastUsedAt ?? 'never',
                  ]),
                ),
                ...moreLines(next),
              ],
        );
        return undefined;
      }),
    );
}

function revoke(): Command {
  return makeCommand('revoke', 'revoke a token: the next request with it is refused')
    .argument('<id>', 'the twelve digits after `gcos_`, as `gcos token list` shows them')
    .option('--dry-run', 'run everything, show the result, and roll back')
    .action((id: string, flags: CommonFlags & { readonly dryRun?: boolean }) =>
      runCommand(flags, async (context) => {
        const dryRun = flags.dryRun === true;
        const token = await withGcos(context, (gcos) => gcos.tokens.revoke(id, { dryRun }));
        context.out.result({ ...token, dryRun }, () => [
          `${token.id} (${token.name}), of ${holderOf(token)}, is revoked by ${token.revokedBy}${dryRun ? '; rolled back' : ''}`,
        ]);
        return undefined;
      }),
    );
}

export function tokenCommand(): Command {
  const group = new Command('token').description('API tokens of people and pipelines');
  for (const command of [create(), list(), revoke()]) group.addCommand(command);
  return group;
}
