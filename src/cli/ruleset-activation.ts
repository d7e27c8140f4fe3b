// `gcos ruleset plan|propose|activate`: the effect of a change of rules, its proposal, and its activation.
import type { Command } from 'commander';
import type { Plan } from '../index.js';
import { showPerson } from '../record/approval/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, formatCount } from './output.js';
import { DEFAULT_LIMIT, parseLimit } from './page.js';
import { oneOf, whole } from './parse.js';
import { driftLines, noteDrift } from './ruleset-drift.js';
import { type FlipList, flipLines, LISTS, listLines } from './ruleset-flips.js';

/** A first ruleset changes everything: the screen shows the first changes, `--json` all of them. */
const SHOWN = 12;

function planLines(plan: Plan): string[] {
  const { total, dirtied, carried } = plan.groups;
  const rows = plan.changes
    .slice(0, SHOWN)
    .map((each) => [`  ${each.text}`, `${formatCount(each.groups)} groups`, each.reach]);
  return [
    `${plan.from ?? 'no active ruleset'} → ${plan.to}`,
    ...(plan.changes.length === 0
      ? ['the rules match the active ruleset: nothing would change']
      : alignColumns(rows)),
    ...(plan.changes.length > SHOWN
      ? [`  and ${formatCount(plan.changes.length - SHOWN)} more changes`]
      : []),
    `${formatCount(dirtied)} of ${formatCount(total)} groups would be re-evaluated, ${formatCount(carried)} carried over`,
    ...(plan.changes.length === 0 ? [] : flipLines(plan.flips)),
    `plan ${plan.hash}`,
  ];
}

export function planCommand(): Command {
  return makeCommand(
    'plan',
    'show the effect of activating the rules in the tables, with all flips; writes nothing',
  )
    .option('--show <list>', `one complete list: ${LISTS.join(', ')}`, oneOf('--show', LISTS))
    .option('--limit <n>', 'with --show: how many at most', parseLimit, DEFAULT_LIMIT)
    .option('--after <n>', 'with --show: skip this many', whole('--after', 0, 1_000_000_000), 0)
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
  return makeCommand('propose', 'draft the rules in the tables and request approval of exactly this plan')
    .option('--as <name>', 'act for this person; requires a login with that right, recorded as unverified')
    .action((flags: CommonFlags & { as?: string }) =>
      runCommand(flags, async (context) => {
        const proposal = await withGcos(context, (gcos) =>
          gcos.plans.propose(flags.as === undefined ? {} : { as: flags.as }),
        );
        context.out.result(proposal, () => [
          ...planLines(proposal.plan),
          `request ${proposal.code}: \`gcos request show ${proposal.code}\` shows who must approve it`,
        ]);
        return undefined;
      }),
    );
}

export function activateCommand(): Command {
  return makeCommand('activate', 'activate a version; needs an approved request that names it and its plan')
    .argument('<version>', 'gov-rs-…')
    .requiredOption('--request <code>', 'the approved request, APR-…')
    .option('--as <name>', 'act for this person; requires a login with that right, recorded as unverified')
    .action((version: string, flags: CommonFlags & { request: string; as?: string }) =>
      runCommand(flags, async (context) => {
        const { done, drift } = await withGcos(context, async (gcos) => {
          const as = flags.as === undefined ? {} : { as: flags.as };
          const activation = await gcos.plans.activate(version, flags.request, as);
          return { done: activation, drift: await noteDrift(gcos) };
        });
        context.out.result({ ...done, drift }, () => [
          `${done.version} is in force${done.superseded === null ? '' : `, in place of ${done.superseded}`}, by ${showPerson(done.activatedBy, done.identityLevel)}${done.selfApproved ? ', self-approved' : ''}`,
          ...driftLines(drift),
        ]);
        return undefined;
      }),
    );
}
