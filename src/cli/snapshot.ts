// `gcos snapshot`: fingerprints of the inventory, their differences, and their verification.
import { Command } from 'commander';
import type { CapturedSnapshot, Drift, GroupDrift, Snapshot, SnapshotKind, SnapshotPage } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { type ConfirmFlags, confirm, confirmOption } from './confirm.js';
import { alignColumns, formatCount, type Output, tableLines } from './output.js';
import { DEFAULT_LIMIT, given, moreLines, parseLimit } from './page.js';
import { choice, idOf, whole } from './parse.js';

const CAPTURED = ['backfill', 'full', 'scan'] as const;
const KINDS = [...CAPTURED, 'delta'] as const;

interface CaptureFlags extends CommonFlags {
  readonly kind: (typeof CAPTURED)[number];
  readonly sealed?: boolean;
}

interface ListFlags extends CommonFlags {
  readonly kind?: SnapshotKind;
  readonly limit: number;
  readonly after?: bigint;
}

interface PruneFlags extends ConfirmFlags {
  readonly keep?: number;
  readonly dryRun?: boolean;
}

const count = (text: string): string => formatCount(BigInt(text));
const signed = (text: string): string => (text.startsWith('-') ? count(text) : `+${count(text)}`);

const MARKS = { added: '+', removed: '-', changed: '~' } as const;

function groupText(
  group: Pick<GroupDrift, 'objectClass' | 'sourceRegistry' | 'axisFamily' | 'lifecycleStatus'>,
): string {
  const { objectClass, sourceRegistry, axisFamily, lifecycleStatus } = group;
  return [sourceRegistry, objectClass, axisFamily ?? 'no axis', lifecycleStatus ?? 'no status'].join(' / ');
}

/** A drift as text: only the changed groups. */
function driftLines(drift: Drift): string[] {
  if (drift.previous === null)
    return [`${drift.rebaseline ?? 'the first of its kind'}: nothing to compare with`];
  const head =
    drift.groups.length === 0
      ? `no group changed (${drift.unchanged} equal)`
      : `${drift.groups.length} groups changed, ${drift.unchanged} equal`;
  return [
    ...(drift.rebaseline === null
      ? []
      : [`new baseline: hashes cannot be compared (${drift.rebaseline}); counts are`]),
    head,
    ...alignColumns(
      drift.groups.map((group) => [
        `  ${MARKS[group.change]}`,
        groupText(group),
        `${signed(group.countDelta)} births`,
        group.newMaxId === null ? 'gone' : `up to id ${group.newMaxId}`,
      ]),
    ),
  ];
}

function capturedLines(captured: CapturedSnapshot, out: Output): string[] {
  const { totals, identity } = captured.document;
  const open =
    totals.unresolved_groups === 0
      ? []
      : [
          out.tone(
            'warn',
            `${totals.unresolved_groups} groups with ${count(totals.unresolved_objects)} births cannot be resolved: \`gcos finding list --type backfill_inventory_gap\``,
          ),
        ];
  return [
    `snapshot ${captured.id} (${captured.kind}), ${identity.slice(0, 12)}: ${count(totals.objects)} births in ${formatCount(totals.groups)} groups, ${count(totals.grain)} at the grain`,
    ...(captured.confirmed ? ['confirmed by a second reading through another path'] : []),
    ...open,
    ...driftLines(captured.drift),
  ];
}

function capture(): Command {
  return makeCommand('capture', 'take a snapshot: a fingerprint of every inventory group')
    .addOption(
      choice(
        '--kind <kind>',
        'its purpose; drift is computed against the last snapshot of the same kind',
        CAPTURED,
      ).default('full'),
    )
    .option('--sealed', 'add a SHA-256 digest per group, which detects rows crafted to look unchanged')
    .action((flags: CaptureFlags) =>
      runCommand(flags, async (context) => {
        const { kind, sealed = false } = flags;
        const captured = await withGcos(context, (gcos) => gcos.snapshots.capture({ kind, sealed }));
        context.out.result(captured, () => capturedLines(captured, context.out));
        return undefined;
      }),
    );
}

function listLines(page: SnapshotPage): string[] {
  if (page.snapshots.length === 0) return ['no snapshots: `gcos snapshot capture` takes one'];
  return [
    ...tableLines(
      ['id', 'kind', 'taken at', 'births', 'groups', 'unresolved', 'drifted', 'identity', ''],
      page.snapshots.map((each) => [
        String(each.id),
        each.kind,
        each.at,
        formatCount(each.objects ?? 0n),
        String(each.groups ?? '-'),
        String(each.unresolvedGroups ?? '-'),
        each.rebaseline === null ? String(each.drifted) : 'rebased',
        (each.identity ?? '').slice(0, 12),
        each.inUse ? 'in use' : '',
      ]),
    ),
    ...moreLines(page.next),
  ];
}

function list(): Command {
  return makeCommand('list', 'list the snapshots, newest first')
    .addOption(choice('--kind <kind>', 'only of this kind', KINDS))
    .option('--limit <n>', 'how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <id>', 'continue after this id', idOf('--after'))
    .action((flags: ListFlags) =>
      runCommand(flags, async (context) => {
        const { kind, limit, after } = flags;
        const page = await withGcos(context, (gcos) =>
          gcos.snapshots.list({ limit, ...given({ kind, after }) }),
        );
        context.out.result(page, () => listLines(page));
        return undefined;
      }),
    );
}

function showLines(snapshot: Snapshot): string[] {
  const { document } = snapshot;
  const { totals, server } = document;
  const nameOf = (group: (typeof document.groups)[string]): string =>
    groupText({
      objectClass: group.object_class,
      sourceRegistry: group.source_registry,
      axisFamily: group.axis_family,
      lifecycleStatus: group.lifecycle_status,
    });
  const groups = Object.values(document.groups).sort((left, right) =>
    nameOf(left) < nameOf(right) ? -1 : 1,
  );
  return [
    ...alignColumns([
      ['snapshot', `${snapshot.id}, ${snapshot.kind}, taken at ${snapshot.at}`],
      ['identity', document.identity],
      ['births', `${count(totals.objects)}, ${count(totals.grain)} at the grain`],
      ['groups', `${totals.groups}, ${totals.unresolved_groups} unresolved`],
      ['ruleset', document.ruleset_version ?? 'none'],
      ['phase', document.phase],
      ['run', document.run_id],
      [
        'algorithm',
        `${document.algorithm}, server ${server.version_num}, ${server.encoding}, ${server.endianness}-endian`,
      ],
      ['in use', snapshot.inUse ? 'yes' : 'no'],
    ]),
    '',
    ...tableLines(
      ['group', 'births', 'grain', 'last id', 'last born', ''],
      groups.map((group) => [
        nameOf(group),
        count(group.count),
        count(group.grain_count),
        group.max_id ?? '-',
        group.max_born_at ?? '-',
        group.resolved ? '' : `unresolved: ${group.unresolved_reason}`,
      ]),
    ),
    '',
    'since the previous snapshot',
    ...(snapshot.drift === null ? ['not recorded'] : driftLines(snapshot.drift)),
  ];
}

function show(): Command {
  return makeCommand('show', 'show one snapshot: every group, and the changes since the previous one')
    .argument('<id>', 'its id', idOf('snapshot'))
    .action((id: bigint, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const snapshot = await withGcos(context, (gcos) => gcos.snapshots.show(id));
        context.out.result(snapshot, () => showLines(snapshot));
        return undefined;
      }),
    );
}

function diff(): Command {
  return makeCommand('diff', 'show the changes between two snapshots')
    .argument('<from>', 'id of the earlier snapshot', idOf('snapshot'))
    .argument('<to>', 'id of the later snapshot', idOf('snapshot'))
    .action((from: bigint, to: bigint, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const drift = await withGcos(context, (gcos) => gcos.snapshots.diff(from, to));
        context.out.result({ from, to, ...drift }, () => driftLines(drift));
        return undefined;
      }),
    );
}

function verify(): Command {
  return makeCommand('verify', 'recompute everything and compare with a snapshot; exit 2 if it differs')
    .argument('<id>', 'its id', idOf('snapshot'))
    .action((id: bigint, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const found = await withGcos(context, (gcos) => gcos.snapshots.verify(id));
        context.out.result(found, () => [
          found.intact
            ? `snapshot ${id} is unaltered`
            : context.out.tone('bad', `snapshot ${id} was altered: its identity does not match its contents`),
          found.holds ? 'the inventory has not changed since' : 'the inventory has changed since',
          ...driftLines(found.drift),
        ]);
        return found.intact && found.holds ? undefined : 2;
      }),
    );
}

function prune(): Command {
  return makeCommand(
    'prune',
    'delete snapshots that are not in use, not the last of their kind and not recent',
  )
    .option(
      '--keep <n>',
      'how many of the most recent of each kind to keep (default: the setting snapshot.keep)',
      whole('--keep', 0, 1_000_000),
    )
    .option('--dry-run', 'list them without deleting any')
    .addOption(confirmOption())
    .action((flags: PruneFlags) =>
      runCommand(flags, async (context) => {
        const { keep, dryRun, yes } = flags;
        const pruned = await withGcos(context, async (gcos) => {
          if (!dryRun && !yes) {
            const { snapshots } = await gcos.snapshots.prune(given({ keep, dryRun: true }));
            const ids = snapshots.map(({ id }) => id).join(', ');
            if (snapshots.length > 0)
              await confirm(context, flags, `delete ${snapshots.length} snapshots (${ids})`);
          }
          return gcos.snapshots.prune(given({ keep, dryRun }));
        });
        context.out.result(pruned, () => [
          `${pruned.snapshots.length} snapshots ${pruned.dryRun ? 'would be' : 'are'} deleted; the last ${pruned.keep} of each kind are kept`,
          ...pruned.snapshots.map((each) => `  ${each.id}  ${each.kind}`),
        ]);
        return undefined;
      }),
    );
}

export function snapshotCommand(): Command {
  const group = new Command('snapshot').description(
    'fingerprints of the inventory, and what changed between them',
  );
  for (const command of [capture(), list(), show(), diff(), verify(), prune()]) group.addCommand(command);
  return group;
}
