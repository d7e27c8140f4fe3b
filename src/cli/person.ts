// `gcos person`: who acts, by which login, as what kind of approver.
import { Command } from 'commander';
import type { ErasedPerson, PersonLine } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { type ConfirmFlags, confirm, confirmOption } from './confirm.js';
import { cliErrors } from './errors.js';
import { formatCount, tableLines } from './output.js';
import { given } from './page.js';
import { nameOf } from './parse.js';

interface ChangeFlags extends CommonFlags {
  readonly login?: string;
  readonly kind?: string;
  readonly issuer?: string;
  readonly subject?: string;
  readonly dryRun?: boolean;
}

const remarkOf = (each: PersonLine): string =>
  [
    ...(each.erased ? ['erased'] : each.active ? [] : ['not active']),
    ...(each.identities > 0n ? ['signs in'] : []),
    ...(each.mayActForOthers ? ['may act for others'] : []),
  ].join('; ');

function list(): Command {
  return makeCommand(
    'list',
    'list the people with their logins, kinds of approver and tokens in force',
  ).action((flags: CommonFlags) =>
    runCommand(flags, async (context) => {
      const people = await withGcos(context, (gcos) => gcos.people.list());
      context.out.result({ people }, () =>
        people.length === 0
          ? ['no people: add one with `gcos person add`']
          : tableLines(
              ['person', 'login', 'kind', 'tokens', ''],
              people.map((each) => [
                each.person,
                each.login ?? 'none',
                each.approverType,
                formatCount(each.tokens),
                remarkOf(each),
              ]),
            ),
      );
      return undefined;
    }),
  );
}

function change(verb: 'add' | 'map', summary: string, kind: string): Command {
  return makeCommand(verb, summary)
    .argument('<name>', 'the person')
    .option(
      '--login <role>',
      'the database login; it exists already, as a member of gcos_api',
      nameOf('--login'),
    )
    .option('--kind <kind>', kind, nameOf('--kind'))
    .option('--issuer <url>', 'a provider by which the person signs in; with --subject', nameOf('--issuer'))
    .option('--subject <id>', 'the user of the person there: `sub` of an ID token', nameOf('--subject'))
    .option('--dry-run', 'run everything, show the result, and roll back')
    .action((name: string, flags: ChangeFlags) =>
      runCommand(flags, async (context) => {
        const { login, kind: approverType, issuer, subject } = flags;
        if ((issuer === undefined) !== (subject === undefined))
          throw cliErrors.usage_invalid('--issuer and --subject belong together');
        const identity = issuer === undefined || subject === undefined ? undefined : { issuer, subject };
        const dryRun = flags.dryRun === true;
        const person = await withGcos(context, (gcos) =>
          gcos.people[verb](name, given({ login, approverType, identity }), { dryRun }),
        );
        context.out.result({ ...person, dryRun }, () => [
          `${person.person}: ${person.title}, ${person.login === null ? 'without a login' : `login ${person.login}`}${dryRun ? '; rolled back' : ''}`,
        ]);
        return undefined;
      }),
    );
}

const contentOf = ({ identities, signIns, sessions, tokens, notifications }: ErasedPerson): string =>
  [
    `${formatCount(identities)} subjects`,
    `${formatCount(signIns)} sign-ins`,
    `${formatCount(sessions)} sessions`,
    `${formatCount(tokens)} tokens`,
    `${formatCount(notifications)} notifications`,
  ].join(', ');

function erase(): Command {
  return makeCommand('erase', 'erase what identifies a person, as a DBA: sign-ins, logins, names of tokens')
    .argument('<name>', 'the person')
    .option('--dry-run', 'run everything, show the result, and roll back')
    .addOption(confirmOption())
    .action((name: string, flags: ConfirmFlags & { readonly dryRun?: boolean }) =>
      runCommand(flags, async (context) => {
        const dryRun = flags.dryRun === true;
        const erased = await withGcos(context, async (gcos) => {
          const would = await gcos.people.erase(name, { dryRun: true });
          if (dryRun) return would;
          await confirm(context, flags, `erase what identifies ${would.person}`, [contentOf(would)]);
          return gcos.people.erase(name);
        });
        context.out.result({ ...erased, dryRun }, () => [
          `${erased.person} is erased${dryRun ? '; rolled back' : ''}: ${contentOf(erased)}`,
        ]);
        return undefined;
      }),
    );
}

export function personCommand(): Command {
  const group = new Command('person').description('the people who decide, and their logins');
  const commands = [
    list(),
    change('add', 'add a person, as a DBA', 'kind of approver; by default member'),
    change(
      'map',
      'change the login, the kind of approver or the sign-in of a person, as a DBA',
      'kind of approver',
    ),
    erase(),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
