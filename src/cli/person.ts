// `gcos person`: who acts, by which login, as what kind of approver.
import { Command } from 'commander';
import type { PersonLine } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { formatCount, tableLines } from './output.js';
import { given } from './page.js';
import { nameOf } from './parse.js';

interface ChangeFlags extends CommonFlags {
  readonly login?: string;
  readonly kind?: string;
  readonly dryRun?: boolean;
}

const remarkOf = (each: PersonLine): string =>
  [...(each.active ? [] : ['not active']), ...(each.mayActForOthers ? ['may act for others'] : [])].join(
    '; ',
  );

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
    .option('--dry-run', 'run everything, show the result, and roll back')
    .action((name: string, flags: ChangeFlags) =>
      runCommand(flags, async (context) => {
        const { login, kind: approverType } = flags;
        const dryRun = flags.dryRun === true;
        const person = await withGcos(context, (gcos) =>
          gcos.people[verb](name, given({ login, approverType }), { dryRun }),
        );
        context.out.result({ ...person, dryRun }, () => [
          `${person.person}: ${person.title}, ${person.login === null ? 'without a login' : `login ${person.login}`}${dryRun ? '; rolled back' : ''}`,
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
    change('map', 'change the login or the kind of approver of a person, as a DBA', 'kind of approver'),
  ];
  for (const command of commands) group.addCommand(command);
  return group;
}
