// `gcos event` and `gcos inbox` through the command line.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, runCli } from '../support/cli.js';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import { countOf, mapTester, signalOf } from '../support/events.js';

describe('gcos event and gcos inbox', () => {
  let estate: Estate;
  beforeEach(async () => {
    estate = await createEstate('installed');
    await mapTester(estate.url);
  });
  afterEach(() => estate.close());
  const gcos = (...args: string[]): Promise<CliResult> => runCli(args, { env: { DATABASE_URL: estate.url } });
  const json = async (...args: string[]) => {
    const result = await gcos(...args, '--json');
    expect(result).toMatchObject({ exit: 0, stderr: '' });
    return JSON.parse(result.stdout) as Record<string, unknown>;
  };

  it('list types in pages, activate and deactivate them', async () => {
    const first = await json('event', 'types', '--limit', '4');
    expect(first).toMatchObject({ next: 'authority.delegated' });
    const second = await json('event', 'types', '--limit', '2', '--after', 'authority.delegated');
    expect(second['types']).toMatchObject([
      { event_type: 'authority.expired' },
      { event_type: 'authority.revoked' },
    ]);
    const coverage = await json('event', 'types', '--stream', 'governance.coverage');
    expect(coverage['types']).toHaveLength(25);
    expect(await json('event', 'activate', 'input.*', '--dry-run')).toMatchObject({ dry_run: true });
    expect(
      await countOf(estate.url, "event_type_registry where event_domain = 'governance' and active"),
    ).toBe(0);
    expect((await json('event', 'activate', 'input.*'))['changed']).toHaveLength(7);
    const text = await gcos('event', 'deactivate', 'input.stale', 'input.conflict');
    expect(text).toMatchObject({ exit: 0, stdout: 'input.conflict\ninput.stale\n2 types deactivated\n' });
  });

  it('register a type, hold its signals and promote them', async () => {
    const flags = [
      '--stream',
      'governance.coverage',
      '--severity',
      'low',
      '--description',
      'a licence is missing',
    ];
    expect(await gcos('event', 'register', 'coverage.licence_gap', ...flags)).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('inactive'),
    });
    await estate.gcos.events.emit([
      signalOf('coverage.licence_gap', 'A'),
      signalOf('coverage.licence_gap', 'B'),
    ]);
    const held = await gcos('event', 'held', '--type', 'coverage.licence_gap', '--limit', '1');
    expect(held.stdout).toMatch(/birth_registry:A.*waiting\nmore: --after \d+\n$/);
    expect((await gcos('event', 'promote')).stdout).toBe(
      '0 promoted; 2 still wait\n  coverage.licence_gap: 2, registered, not active\n',
    );
    await gcos('event', 'activate', 'coverage.licence_gap');
    // The held signals have raised a finding of their own, whose signal waits for its type.
    const after = await json('event', 'promote');
    expect(after).toMatchObject({ promoted: 2 });
    expect(JSON.stringify(after['held_types'])).not.toContain('licence_gap');
  });

  it('subscribe, list, read and mute', async () => {
    await gcos('event', 'activate', 'owner.gap');
    const subscribed = await json(
      'inbox',
      'subscribe',
      '--recipient',
      'GOV-SIV',
      '--filter',
      '{"scope": "approval"}',
    );
    expect(subscribed).toMatchObject({ created: true });
    await estate.gcos.events.emit([signalOf('owner.gap', 'X')]);
    const listed = await json('inbox', 'list', '--recipient', 'GOV-SIV');
    const [{ id = '' } = {}] = listed['notifications'] as { id: string }[];
    expect((await gcos('inbox', 'list', '--recipient', 'GOV-SIV')).stdout).toMatch(
      /high +owner\.gap .*unread +birth_registry:X/,
    );
    expect(await json('inbox', 'read', id, '--recipient', 'GOV-SIV')).toMatchObject({ marked: 1 });
    expect((await gcos('inbox', 'list', '--recipient', 'GOV-SIV')).stdout).toBe('no notifications\n');
    expect((await gcos('inbox', 'mute', '--recipient', 'GOV-SIV')).stdout).toBe('1 subscription muted\n');
    expect((await gcos('inbox', 'subscriptions')).stdout).toMatch(/GOV-SIV .* yes +\{"scope": "approval"\}/);
    expect((await gcos('inbox', 'mute', '--unmute', '--recipient', 'GOV-SIV')).stdout).toBe(
      '1 subscription unmuted\n',
    );
    expect((await gcos('inbox', 'unsubscribe', '--recipient', 'GOV-SIV')).stdout).toBe(
      '1 subscription ended\n',
    );
    const early = ['inbox', 'subscribe', '--recipient', 'EARLY', '--type', 'not.yet_there', '--any'];
    expect(await json(...early)).toMatchObject({ created: true });
  });

  it('name the missing row when the login is not mapped to a person', async () => {
    await asHost(estate.url, 'update governance_actor set active = false');
    try {
      for (const args of [
        ['event', 'activate', 'owner.conflict'],
        ['inbox', 'read', '--all', '--recipient', 'GOV-SIV'],
        ['inbox', 'mute', '--recipient', 'EARLY'],
      ]) {
        const result = await gcos(...args);
        expect(result).toMatchObject({ exit: 3, stdout: '' });
        expect(result.stderr).toMatch(
          /^actor_unknown: .*\n {2}help: .*insert into "gcos_trust"\.governance_actor /,
        );
      }
    } finally {
      await asHost(estate.url, 'update governance_actor set active = true');
    }
  });

  it.each([
    [['event', 'activate'], 'usage_invalid'],
    [['event', 'activate', 'x.y', '--all'], 'usage_invalid'],
    [['event', 'activate', 'no.such_type'], 'event_type_unknown'],
    [
      [
        'event',
        'register',
        'gcos.retry.x',
        '--stream',
        'governance.input',
        '--severity',
        'low',
        '--description',
        'x',
      ],
      'event_type_invalid',
    ],
    [
      ['event', 'register', 'a.b', '--stream', 'elsewhere', '--severity', 'low', '--description', 'x'],
      'event_stream_unknown',
    ],
    [
      [
        'event',
        'register',
        'a.b',
        '--stream',
        'governance.input',
        '--severity',
        'huge',
        '--description',
        'x',
      ],
      'value_unknown',
    ],
    [['event', 'types', '--limit', 'many'], 'value_invalid'],
    [['inbox', 'read', 'x', '--recipient', 'R'], 'value_invalid'],
    [['inbox', 'list', '--recipient', 'UNSUBSCRIBED'], 'value_unknown'],
    [['inbox', 'mute', '--recipient', 'GOV-IU'], 'subscription_unknown'],
    [['inbox', 'subscribe', '--recipient', 'R', '--filter', '[1]'], 'usage_invalid'],
    [['inbox', 'read', '999', '--recipient', 'GOV-IU'], 'notification_unknown'],
    [['inbox', 'subscribe', '--recipient', 'GOV-IU', '--type', 'no.such_type'], 'event_type_unknown'],
    [['inbox', 'list'], 'usage_invalid'],
  ])('%j is refused with one line and its help', async (args, code) => {
    const result = await gcos(...args);
    expect(result).toMatchObject({ exit: 3, stdout: '' });
    expect(result.stderr).toMatch(new RegExp(`^${code}: [^\\n]+\\n {2}help: [^\\n]+\\n$`));
  });
});
