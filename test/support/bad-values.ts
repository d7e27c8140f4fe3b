// What a mistyped command line looks like, derived from the command tree: for every command an unknown
// option, one argument too many, and for each of its options and arguments bad values of its kind. An option
// of a kind that is not listed here fails the test that walks the tree.
import type { Argument, Command, Option } from 'commander';

export interface BadInput {
  /** `gcos finding list`. */
  readonly command: string;
  readonly args: readonly string[];
  /** What is wrong, for the page: `--scope nope`. */
  readonly what: string;
  /** The value that the message must show; undefined for a missing or an empty one. */
  readonly value: string | undefined;
}

const NUMBERS = ['nope', '-1', '1.5', '0x10', '1e3', '99999999999999999999'];
const NAMES = ['nope'];

/** Bad values by what stands in the angle brackets. */
const BAD: Readonly<Record<string, readonly string[]>> = {
  n: NUMBERS,
  'births per second': ['0', ...NUMBERS],
  port: ['nope', '-1', '65536'],
  position: ['nope', '-1'],
  no: ['nope', '-1'],
  item: ['nope', '-1'],
  id: ['n o p e', '-1;drop table x'],
  'id or time': ['notadate', '-1', '0', '2026-02-30', '99999999999', '2999-01-01'],
  time: [
    'notadate',
    '2026-02-30',
    '2026-13-01',
    '2026-01-01T25:00:00Z',
    '2026-01-01T12:00',
    'infinity',
    '-1',
  ],
  duration: ['nope', '0s', '-5s', '10'],
  span: ['nope', '0d', '-5d', '10'],
  text: ['', '   '],
  json: ['{', '[]', 'nope'],
  name: NAMES,
  names: NAMES,
  person: NAMES,
  code: NAMES,
  scope: NAMES,
  link: NAMES,
  type: NAMES,
  table: NAMES,
  owner: NAMES,
  key: NAMES,
  version: NAMES,
  worker: NAMES,
  duties: ['nope', 'intake,nope', ''],
  list: NAMES,
  status: NAMES,
  word: NAMES,
  kind: NAMES,
  role: NAMES,
  mode: NAMES,
  stage: NAMES,
  action: NAMES,
  level: NAMES,
  manifest: ['/nowhere/nope.json'],
  dir: ['/dev/null/nope'],
  file: ['/dev/null/nope.sql'],
  format: NAMES,
  'file|digest@position': NAMES,
  url: ['', 'nope', 'mysql://nope/nope'],
  address: ['', 'nope/9464', 'two words'],
  hosts: ['', 'two words', 'https://nope'],
  origins: ['', 'nope', 'https://nope/path'],
  value: NAMES,
  shell: NAMES,
  class: ['Not a class'],
  kit: NAMES,
  column: [''],
  'link=column': ['nope', 'owner='],
  location: ['nope.xyz'],
};

/** The same for arguments, by their name. */
const BAD_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  ...BAD,
  from: NAMES,
  to: NAMES,
  ids: NAMES,
  types: NAMES,
  source: NAMES,
  collection: NAMES,
  remedy: NAMES,
};

/** Ids that the command line itself reads as numbers. */
const NUMBERED = /^gcos (snapshot|gate why|gate list|inbox read|webhook)/;
const IDS = ['nope', '-1', '0', '99999999999999999999'];

const placeholderOf = (option: Option): string | undefined =>
  /[<[](.+?)(?:\.\.\.)?[>\]]/.exec(option.flags)?.[1];

export interface Known {
  /** Arguments that exist, by command: all required ones, and options without which the rest is moot. */
  readonly valid: (command: string) => readonly string[];
  /** `command --option`: options that stand in place of the arguments. */
  readonly alone: readonly string[];
  /** Options that a bad value of another option needs beside it, by `command --option`. */
  readonly beside: (command: string, option: string) => readonly string[];
  /** `command --option`, `command <argument>`: without bad values, with the reason. */
  readonly free: Readonly<Record<string, string>>;
}

function leaves(command: Command, path: string): { command: Command; path: string }[] {
  if (command.commands.length === 0) return [{ command, path }];
  return command.commands.flatMap((child) => leaves(child as Command, `${path} ${child.name()}`));
}

function badValues(
  kind: string,
  path: string,
  kinds: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const bad =
    (kind === 'id' || kind === 'from' || kind === 'to' || kind === 'ids') && NUMBERED.test(path)
      ? IDS
      : kinds[kind];
  if (bad === undefined) throw new Error(`${path}: no bad values are known for <${kind}>`);
  return bad;
}

/** `args` without the option and its value. */
function without(args: readonly string[], option: string): string[] {
  const at = args.indexOf(option);
  return at < 0 ? [...args] : [...args.slice(0, at), ...args.slice(at + 2)];
}

/** Every bad input of every command. */
export function everyBadInput(program: Command, known: Known): readonly BadInput[] {
  return leaves(program, 'gcos').flatMap(({ command, path }) => {
    const words = path.split(' ').slice(1);
    const valid = known.valid(path);
    const from = valid.findIndex((each) => each.startsWith('--'));
    const placed = from < 0 ? valid : valid.slice(0, from);
    const others = from < 0 ? [] : valid.slice(from);
    const make = (what: string, value: string | undefined, rest: readonly string[]): BadInput => ({
      command: path,
      args: [...words, ...rest],
      what,
      value,
    });
    const options = command.options.flatMap((option) => {
      const flag = option.long ?? option.flags;
      const kind = placeholderOf(option);
      if (kind === undefined || `${path} ${flag}` in known.free) return [];
      const stays = known.alone.includes(`${path} ${flag}`) ? others : valid;
      const rest = [...without(stays, flag), ...known.beside(path, flag)];
      return badValues(kind, path, BAD).map((value) =>
        make(
          `\`${flag} ${value === '' ? "''" : value}\``,
          value.trim() === '' || kind === 'url' ? undefined : value,
          [...rest, `${flag}=${value}`],
        ),
      );
    });
    const missing = command.options
      .filter((option) => option.mandatory)
      .map((option) => make(`without \`${option.long}\``, undefined, without(valid, option.long ?? '')));
    const positions = command.registeredArguments as readonly Argument[];
    const given = positions.map((argument) => argument.name());
    const args = positions.flatMap((argument, index) => {
      if (`${path} <${argument.name()}>` in known.free) return [];
      return badValues(argument.name(), path, BAD_ARGUMENTS).map((value) => {
        const place = placed.map((each, at) => (at === index ? value : each));
        const all = place.length > index ? place : [...place, value];
        const dashed = all.some((each) => each.startsWith('-')) ? ['--'] : [];
        return make(`\`<${argument.name()}>\` = \`${value}\``, value, [...others, ...dashed, ...all]);
      });
    });
    const required = positions.filter((argument) => argument.required);
    const variadic = positions.at(-1)?.variadic === true;
    return [
      make('an unknown option', '--colour', [...valid, '--colour']),
      ...(variadic
        ? []
        : [make('an argument too many', undefined, [...given.map(() => 'x'), 'x', ...others])]),
      ...(required.length === 0 ? [] : [make('without its arguments', undefined, [])]),
      ...missing,
      ...options,
      ...args,
    ];
  });
}
