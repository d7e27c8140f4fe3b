// `gcos ruleset plan|propose|activate`: what a change of rules would do, asking for it, and putting it into force.
import type { Command } from 'commander';
import type { Plan } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, formatCount } from './output.js';
import { DEFAULT_LIMIT, parseLimit, printable } from './page.js';
import { driftLines, noteDrift } from './ruleset-drift.js';
import { type FlipList, flipLines, LISTS, listLines, parseList, parsePlace } from './ruleset-flips.js';

/** A first ruleset changes everything: the screen shows the beginning, `--json` all of it. */
const SHOWN = 12;

function planLines(plan: Plan): string[] {
  const { total, dirtied, carried } = plan.groups;
  const rows = plan.changes
    .slice(0, SHOWN)
    .map((each) => [
      `  ${printable(each.text)}`,
      `${formatCount(each.groups)} groups`,
      printable(each.reach),
    ]);
  return [
    `${plan.from ?? 'nothing in force'} → ${plan.to}`,
    ...(plan.changes.length === 0
      ? ['the rules are those in force: nothing would change']
      : alignColumns(rows)),
    ...(plan.changes.length > SHOWN
      ? [`  and ${formatCount(plan.changes.length - SHOWN)} more changes`]
      : []),
    `${formatCount(dirtied)} of ${formatCount(total)} groups would be looked at again, ${formatCount(carried)} carried over`,
    ...(plan.changes.length === 0 ? [] : flipLines(plan.flips)),
    `plan ${plan.hash}`,
  ];
}

export function planCommand(): Command {
  return makeCommand(
    'plan',
    'show what putting the rules in the tables into force would do, and what would flip; writes nothing',
  )
    .option('--show <list>', `all of one list: ${LISTS.join(', ')}`, parseList)
    .option('--limit <n>', 'with --show: how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <n>', 'with --show: continue after so many', parsePlace, 0)
    .action((flags: CommonFlags & { show?: FlipList; limit: number; after: number }) =>
      runCommand(flags, async (context) => {
        const { show, limit, after } = flags;
        const plan = await withGcos(context, (gcos) => gcos.plans.plan());
        context.out.result(plan, () =>
          show === undefined ? planLines(plan) : listLines(plan, show, { limit, after }),
        );
        return undefined;
      }),
    );
}

export function proposeCommand(): Command {
  return makeCommand('propose', 'draft the rules in the tables and ask for approval of exactly this plan')
    .option('--as <name>', 'in the name of this person; only for a login that may, and then unverified')
    .action((flags: CommonFlags & { as?: string }) =>
      runCommand(flags, async (context) => {
        const proposal = await withGcos(context, (gcos) =>
          gcos.plans.propose(flags.as === undefined ? {} : { as: flags.as }),
        );
        context.out.result(proposal, () => [
          ...planLines(proposal.plan),
          `request ${proposal.code}: \`gcos request show ${proposal.code}\` says who must approve it`,
        ]);
        return undefined;
      }),
    );
}

export function activateCommand(): Command {
  return makeCommand(
    'activate',
    'put a version into force; needs an approved request that names it and its plan',
  )
    .argument('<version>', 'gov-rs-…')
    .requiredOption('--request <code>', 'the approved request, APR-…')
    .option('--as <name>', 'in the name of this person; only for a login that may, and then unverified')
    .action((version: string, flags: CommonFlags & { request: string; as?: string }) =>
      runCommand(flags, async (context) => {
        const { done, drift } = await withGcos(context, async (gcos) => {
          const as = flags.as === undefined ? {} : { as: flags.as };
          const activation = await gcos.plans.activate(version, flags.request, as);
          return { done: activation, drift: await noteDrift(gcos) };
        });
        context.out.result({ ...done, drift }, () => [
          `${done.version} is in force${done.superseded === null ? '' : `, in place of ${done.superseded}`}, by ${done.activatedBy}${done.verified ? '' : ' (unverified identity)'}`,
          ...driftLines(drift),
        ]);
        return undefined;
      }),
    );
}
