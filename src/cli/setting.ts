// `gcos setting`: the settings of this deployment with type, default, meaning and who may change them.
import { Command } from 'commander';
import type { ChangedSetting, SettingLine } from '../index.js';
import { CHANGED_BY } from '../record/approval/index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { alignColumns, type Output, tableLines } from './output.js';

const text = (value: unknown): string => JSON.stringify(value);

function list(): Command {
  return makeCommand('list', 'list all settings; an asterisk marks those that differ from their default')
    .option('--changed', 'only those that differ from their default')
    .action((flags: CommonFlags & { changed?: boolean }) =>
      runCommand(flags, async (context) => {
        const all = await withGcos(context, (gcos) => gcos.settings.list());
        const settings = flags.changed ? all.filter((each) => !each.isDefault) : all;
        context.out.result({ settings }, () =>
          settings.length === 0
            ? ['every setting has its default']
            : tableLines(
                ['setting', 'value', 'changed by'],
                settings.map((each) => [
                  `${each.key}${each.isDefault ? '' : ' *'}`,
                  text(each.value),
                  each.changedBy,
                ]),
              ),
        );
        return undefined;
      }),
    );
}

function settingLines(setting: SettingLine): string[] {
  return alignColumns([
    ['setting', setting.key],
    ['meaning', setting.about],
    ['value', text(setting.value)],
    ['default', text(setting.default)],
    ['type', setting.type],
    ['changed by', CHANGED_BY[setting.changedBy]],
    ['updated', `${setting.updatedAt} by ${setting.updatedBy}`],
  ]);
}

function get(): Command {
  return makeCommand('get', 'show one setting: value, default, type, meaning, who may change it')
    .argument('<key>', 'for example scan.audit')
    .action((key: string, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const setting = await withGcos(context, (gcos) => gcos.settings.get(key));
        context.out.result(setting, () => settingLines(setting));
        return undefined;
      }),
    );
}

function changedLines(changed: ChangedSetting, dryRun: boolean, out: Output): string[] {
  const { key, before, after, needsApproval, person } = changed;
  if (!changed.changed) return [`${key} is ${text(after)} already`];
  return [
    `${key}: ${text(before)} → ${text(after)}, by ${person}${dryRun ? '; rolled back' : ''}`,
    ...(needsApproval
      ? [
          out.tone(
            'warn',
            'it is part of the ruleset: it is in force once `gcos ruleset propose` is approved and activated',
          ),
        ]
      : []),
  ];
}

function set(): Command {
  return makeCommand('set', 'change one setting as the person of your database login; audited')
    .argument('<key>', 'for example scan.audit')
    .argument('<value>', 'as JSON; a text may stand without quotes')
    .option('--dry-run', 'run everything, show the result, and roll back')
    .action((key: string, value: string, flags: CommonFlags & { dryRun?: boolean }) =>
      runCommand(flags, async (context) => {
        const dryRun = flags.dryRun === true;
        const changed = await withGcos(context, (gcos) => gcos.settings.set(key, value, { dryRun }));
        context.out.result({ ...changed, dryRun }, () => changedLines(changed, dryRun, context.out));
        return undefined;
      }),
    );
}

export function settingCommand(): Command {
  const group = new Command('setting').description('the settings of this deployment');
  for (const command of [list(), get(), set()]) group.addCommand(command);
  return group;
}
