// `gcos webhook`: where changes are sent.
import { Command } from 'commander';
import { WEBHOOK_FORMATS, type Webhook, type WebhookFormat } from '../index.js';
import { type CommonFlags, makeCommand, runCommand, withGcos } from './command.js';
import { type ConfirmFlags, confirm, confirmOption } from './confirm.js';
import { formatCount, tableLines } from './output.js';
import { given } from './page.js';
import { choice, idOf, whole } from './parse.js';

interface AddFlags extends CommonFlags {
  readonly types: readonly string[];
  readonly format: WebhookFormat;
  readonly secret?: string;
  readonly allowPrivate?: true;
}

const listOf = (text: string): readonly string[] => text.split(',').map((each) => each.trim());

function add(): Command {
  return makeCommand('add', 'send what is numbered from now on to an address')
    .argument('<location>', 'the https address; or env:NAME or file:PATH where the worker reads it')
    .requiredOption(
      '--types <list>',
      'which entries of the feed, for example finding.*,ledger.closed',
      listOf,
    )
    .addOption(
      choice('--format <format>', 'CloudEvents, or a text for Slack', WEBHOOK_FORMATS).default('cloudevents'),
    )
    .option('--secret <location>', 'where the secret is: env:NAME or file:PATH; Slack needs none')
    .option('--allow-private', 'permit addresses of private networks, and http')
    .action((location: string, flags: AddFlags) =>
      runCommand(flags, async (context) => {
        const { types, format, secret, allowPrivate } = flags;
        const webhook = await withGcos(context, (gcos) =>
          gcos.webhooks.add({ location, types, format, ...given({ secret, allowPrivate }) }),
        );
        context.out.result({ webhook }, () => [
          `webhook ${webhook.id} is added; try it with \`gcos webhook test ${webhook.id}\``,
        ]);
        return undefined;
      }),
    );
}

function stateOf({ state, failingSince, nextAttemptAt, lastError, disabledAt }: Webhook): string {
  if (state === 'disabled') return `disabled at ${disabledAt}: ${lastError}`;
  if (state === 'failing')
    return `failing since ${failingSince}, next attempt ${nextAttemptAt}: ${lastError}`;
  return 'active';
}

function list(): Command {
  return makeCommand('list', 'list the webhooks, and what each has received').action((flags: CommonFlags) =>
    runCommand(flags, async (context) => {
      const webhooks = await withGcos(context, (gcos) => gcos.webhooks.list());
      context.out.result({ webhooks }, () =>
        webhooks.length === 0
          ? ['there are no webhooks; `gcos webhook add` adds one']
          : tableLines(
              ['webhook', 'to', 'types', 'format', 'delivered', 'waiting', 'state'],
              webhooks.map((each) => [
                String(each.id),
                each.location,
                each.types.join(','),
                each.format,
                formatCount(each.delivered),
                formatCount(each.waiting),
                stateOf(each),
              ]),
            ),
      );
      return undefined;
    }),
  );
}

function test(): Command {
  return makeCommand('test', 'send one message from here, with the secret that is set here')
    .argument('<id>', 'the number of the webhook', idOf('id'))
    .action((id: bigint, flags: CommonFlags) =>
      runCommand(flags, async (context) => {
        const { ms } = await withGcos(context, (gcos) => gcos.webhooks.test(id, context.signal));
        context.out.result({ id, received: true, ms }, () => [`webhook ${id} has received it, in ${ms} ms`]);
        return undefined;
      }),
    );
}

function rotate(): Command {
  return makeCommand('rotate', 'sign with another secret; the former one signs as well for a while')
    .argument('<id>', 'the number of the webhook', idOf('id'))
    .requiredOption('--secret <location>', 'where the new secret is: env:NAME or file:PATH')
    .option('--hours <n>', 'for how long both sign', whole('--hours', 0, 720), 24)
    .action((id: bigint, flags: CommonFlags & { secret: string; hours: number }) =>
      runCommand(flags, async (context) => {
        const { secret, hours } = flags;
        const webhook = await withGcos(context, (gcos) => gcos.webhooks.rotate(id, secret, { hours }));
        context.out.result({ webhook }, () => [
          `webhook ${id} signs with both secrets until ${webhook.formerUntil}`,
        ]);
        return undefined;
      }),
    );
}

function remove(): Command {
  return makeCommand('remove', 'remove a webhook; what waits for it is not sent')
    .argument('<id>', 'the number of the webhook', idOf('id'))
    .addOption(confirmOption())
    .action((id: bigint, flags: ConfirmFlags) =>
      runCommand(flags, async (context) => {
        await confirm(context, flags, `remove webhook ${id}`, ['what waits for it is not sent']);
        await withGcos(context, (gcos) => gcos.webhooks.remove(id));
        context.out.result({ id, removed: true }, () => [`webhook ${id} is removed`]);
        return undefined;
      }),
    );
}

export function webhookCommand(): Command {
  const group = new Command('webhook').description('where changes are sent, signed and in order');
  for (const command of [add(), list(), test(), rotate(), remove()]) group.addCommand(command);
  return group;
}
