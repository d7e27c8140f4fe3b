// `gcos source`: what fills a home. A source reads one estate, and never writes to it.
import { Command } from 'commander';
import type { ClassCounts, Gcos, Source, SyncReport } from '../index.js';
import {
  type CommonFlags,
  type Context,
  makeCommand,
  type Outcome,
  runCommand,
  withGcos,
} from './command.js';
import { type ConfirmFlags, confirm, confirmOption } from './confirm.js';
import { cliErrors } from './errors.js';
import { alignColumns, formatCount, tableLines } from './output.js';
import { given } from './page.js';

interface AddFlags extends CommonFlags {
  readonly class?: string;
  readonly code?: string;
  readonly identity?: string;
  readonly link?: readonly (readonly [string, string])[];
}

interface SyncFlags extends CommonFlags {
  readonly acceptShrink?: boolean;
}

/** `owner=team` → the link and its column. */
function link(text: string, before: readonly (readonly [string, string])[] = []) {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw cliErrors.usage_invalid(`--link: \`${text}\` is not LINK=COLUMN, such as owner=team`);
  return [...before, [text.slice(0, at), text.slice(at + 1)] as const];
}

function add(): Command {
  return makeCommand('add', 'add a source to this home; reads nothing yet')
    .argument('<name>', 'its name; the collections of its classes begin with it')
    .argument(
      '<kind>',
      'file: a list as CSV with a header, or as JSON lines; postgres: the catalogs of a database; directus: a Directus project, through its database',
    )
    .argument('<location>', 'the path of the file; or env:NAME, file:PATH or a URL without a password')
    .option('--class <class>', 'file: the class of all objects, for example asset')
    .option('--code <column>', 'file: the column with the code of an object')
    .option('--identity <column>', 'file: the column with a key that survives a rename')
    .option('--link <link=column>', 'file: the column with a link, for example owner=team; repeatable', link)
    .action((name: string, kind: string, location: string, flags: AddFlags) =>
      runCommand(flags, async (context) => {
        const { class: objectClass, code, identity, link: links = [] } = flags;
        const { added } = await withGcos(context, (gcos) =>
          gcos.sources.add(name, kind, {
            location,
            links: Object.fromEntries(links),
            ...given({ class: objectClass, code, identity }),
          }),
        );
        context.out.result({ name, kind, added }, () => [
          added
            ? `source \`${name}\` is added; read it with \`gcos source sync ${name}\``
            : `source \`${name}\` is there already, as it is`,
        ]);
        return undefined;
      }),
    );
}

function stateOf({ status, failure, readAt }: Source): string {
  if (status === 'removed') return 'removed';
  if (failure !== null)
    return `failing since ${failure.since ?? failure.at}: ${failure.message ?? failure.code ?? ''}`;
  return readAt === null ? 'never read' : `read as of ${readAt}`;
}

function list(): Command {
  return makeCommand('list', 'list the sources of this home, and as of when each was read').action(
    (flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const sources = await withGcos(context, (gcos) => gcos.sources.list());
        context.out.result({ sources }, () =>
          sources.length === 0
            ? ['there is no source']
            : tableLines(
                ['source', 'kind', 'objects', 'gone', 'state'],
                sources.map((each) => [
                  each.name,
                  each.kind,
                  formatCount(each.objects),
                  formatCount(each.gone),
                  stateOf(each),
                ]),
              ),
        );
        return undefined;
      }),
  );
}

const CHANGES = ['created', 'changed', 'renamed', 'returned', 'gone'] as const;

function classLine(counts: ClassCounts): readonly string[] {
  const changes = CHANGES.filter((each) => counts[each] > 0).map(
    (each) => `${formatCount(counts[each])} ${each}`,
  );
  return [
    `  ${counts.class}`,
    formatCount(counts.objects),
    changes.length === 0 ? 'nothing new' : changes.join(', '),
  ];
}

function syncLines({ source, readAt, objects, classes, owners, changed }: SyncReport): string[] {
  return [
    `${source}: ${formatCount(objects)} objects, read as of ${readAt}${changed ? '' : '; nothing changed'}`,
    ...alignColumns(classes.map(classLine)),
    ...(owners.begun + owners.ended === 0
      ? []
      : [`  owners: ${formatCount(owners.begun)} rows began, ${formatCount(owners.ended)} ended`]),
  ];
}

/** Reads one source, with the number of objects as progress. */
export async function syncWithProgress(
  gcos: Gcos,
  { out }: Pick<Context, 'out'>,
  name: string,
  options: { readonly acceptShrink?: boolean; readonly address?: string } = {},
): Promise<SyncReport> {
  const progress = out.progress(`sync ${name}`);
  const report = await gcos.sources.sync(name, {
    ...options,
    onProgress: (objects) => progress.update(0, 0, `${formatCount(objects)} objects read`),
  });
  progress.finish(`${formatCount(report.objects)} objects`);
  return report;
}

function sync(): Command {
  return makeCommand('sync', 'read a source, and write what differs from the last sync, in one transaction')
    .argument('[name]', 'by default all sources, one after the other')
    .option('--accept-shrink', 'record objects as gone in any number')
    .action((name: string | undefined, flags: SyncFlags) =>
      runCommand(flags, async (context) => {
        const reports = await withGcos(context, async (gcos) => {
          const active = (await gcos.sources.list()).filter((each) => each.status === 'active');
          const names = name === undefined ? active.map((each) => each.name) : [name];
          const found: SyncReport[] = [];
          for (const each of names)
            found.push(
              await syncWithProgress(gcos, context, each, given({ acceptShrink: flags.acceptShrink })),
            );
          return found;
        });
        context.out.result({ syncs: reports }, () =>
          reports.length === 0 ? ['there is no source'] : reports.flatMap(syncLines),
        );
        return undefined;
      }),
    );
}

async function removeOne(gcos: Gcos, context: Context, name: string, flags: ConfirmFlags): Outcome {
  const found = (await gcos.sources.list()).find((each) => each.name === name && each.status === 'active');
  if (found !== undefined)
    await confirm(context, flags, `remove the source \`${name}\``, [
      `Its ${formatCount(found.objects)} objects are gone then: no longer governed. Their births and verdicts stay.`,
    ]);
  const report = await gcos.sources.remove(name);
  context.out.result({ removed: name, classes: report.classes }, () => [
    `source \`${name}\` is removed; ${formatCount(report.classes.reduce((sum, each) => sum + each.gone, 0))} objects are gone`,
  ]);
  return undefined;
}

function remove(): Command {
  return makeCommand('remove', 'remove a source: its objects are gone, their births stay')
    .argument('<name>')
    .addOption(confirmOption())
    .action((name: string, flags: ConfirmFlags) =>
      runCommand(flags, (context) => withGcos(context, (gcos) => removeOne(gcos, context, name, flags))),
    );
}

export function sourceCommand(): Command {
  const group = new Command('source').description('what fills a home: the estates that are read');
  for (const command of [add(), list(), sync(), remove()]) group.addCommand(command);
  return group;
}
