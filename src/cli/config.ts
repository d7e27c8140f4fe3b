// `gcos config`: governance as code. gcos.yaml says what a team wants; plan compares, apply does.
import { Command } from 'commander';
import type { ConfigurationChange, ConfigurationPlan } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, formatCount, type Output } from './output.js';

interface FileFlags extends CommonFlags {
  readonly file: string;
}

const SIGNS: Readonly<Record<ConfigurationChange['change'], string>> = {
  create: '+',
  change: '~',
  none: '=',
  release: '-',
};

const valueText = (value: unknown): string => (value === null ? 'nothing' : JSON.stringify(value));

function changeCells({ change, kind, subject, edited, from, to }: ConfigurationChange): string[] {
  const what =
    change === 'none'
      ? 'as in the file'
      : change === 'release'
        ? 'no longer in the file: it stays, and is no longer managed'
        : `${valueText(from)} → ${valueText(to)}`;
  return [`${SIGNS[change]} ${kind}`, subject, edited ? `edited by hand; ${what}` : what];
}

function planLines(plan: ConfigurationPlan, out: Output): string[] {
  const changing = plan.changes.filter((each) => each.change !== 'none');
  return [
    ...alignColumns(plan.changes.map(changeCells)),
    ...plan.disagreements.map((each) => out.tone('bad', `disagreement: ${each}`)),
    `${formatCount(changing.length)} to change; ${formatCount(plan.patterns)} patterns, ${formatCount(plan.contracts)} links of data contracts`,
  ];
}

const withFile = (command: Command): Command => command.option('--file <file>', 'the file', 'gcos.yaml');

function plan(): Command {
  return withFile(
    makeCommand(
      'plan',
      'show what applying gcos.yaml would change, and what was edited by hand; writes nothing',
    ),
  ).action((flags: FileFlags) =>
    runCommand(flags, async (context) => {
      const found = await withGcos(context, (gcos) => gcos.configurations.plan(flags.file));
      context.out.result(found, () => planLines(found, context.out));
      return undefined;
    }),
  );
}

function apply(): Command {
  return withFile(
    makeCommand('apply', 'do what plan shows; can be repeated, and what needs an approval waits for it'),
  ).action((flags: FileFlags) =>
    runCommand(flags, async (context) => {
      const done = await withGcos(context, (gcos) => gcos.configurations.apply(flags.file));
      context.out.result(done, () => [
        ...planLines(done, context.out),
        ...done.requests.map((code) => `${code} waits: \`gcos request show ${code}\``),
        ...(done.policyChanged
          ? ['the approval policy is in force once `gcos ruleset propose` is approved and activated']
          : []),
      ]);
      return undefined;
    }),
  );
}

export function configCommand(): Command {
  const group = new Command('config').description('governance as code: gcos.yaml');
  for (const command of [plan(), apply()]) group.addCommand(command);
  return group;
}
