// `gcos completion`: a script that completes commands, options and their values, written from the command
// tree.
import type { Command, Option } from 'commander';
import { type CommonFlags, makeCommand, runCommand } from './command.js';
import { oneOf } from './parse.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

interface Place {
  /** The words so far: `ledger show`. */
  readonly path: string;
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
}

/** Every place of the tree at which a word can follow. */
function places(command: Command, path: readonly string[] = []): Place[] {
  const visible = (command.commands as Command[]).filter((each) => each.name() !== 'help');
  return [
    { path: path.join(' '), commands: visible, options: command.options },
    ...visible.flatMap((each) => places(each, [...path, each.name()])),
  ];
}

const wordsOf = ({ commands, options }: Place): string[] => [
  ...commands.map((each) => each.name()),
  ...options.map((each) => each.long ?? each.flags),
];

/** Options that take a value: its word is no command. */
const valued = (all: readonly Place[]): string[] => [
  ...new Set(
    all.flatMap(({ options }) =>
      options.filter((each) => each.required).map((each) => each.long ?? each.flags),
    ),
  ),
];

/** `path --option` → the values it takes, if the program knows them. */
const choices = (all: readonly Place[]): (readonly [string, readonly string[]])[] =>
  all.flatMap(({ path, options }) =>
    options.flatMap((each) =>
      each.argChoices === undefined ? [] : [[`${path} ${each.long ?? ''}`, each.argChoices] as const],
    ),
  );

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The two cases that bash and zsh share: the words and the values at a place. */
function cases(all: readonly Place[]): { readonly words: string[]; readonly values: string[] } {
  return {
    words: all.map((place) => `    ${quoted(place.path)}) words=${quoted(wordsOf(place).join(' '))} ;;`),
    values: choices(all).map(([at, values]) => `    ${quoted(at)}) words=${quoted(values.join(' '))} ;;`),
  };
}

/** Finds the place: the words of commands before the cursor, without options and their values. */
function walk(all: readonly Place[]): string[] {
  const known = all.map(({ path }) => quoted(path)).filter((path) => path !== "''");
  return [
    '    case "$word" in',
    `      ${valued(all).join('|')}) skip=1 ;;`,
    '      -*) ;;',
    '      *)',
    `        next="\${place:+$place }$word"`,
    '        case "$next" in',
    `          ${known.join('|')}) place="$next" ;;`,
    '        esac ;;',
    '    esac',
  ];
}

function bash(all: readonly Place[]): string {
  const { words, values } = cases(all);
  return [
    '# Completion of gcos for bash: source <(gcos completion bash)',
    '_gcos() {',
    `  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" place="" next skip=0 word words="" index`,
    '  for ((index = 1; index < COMP_CWORD; index++)); do',
    `    word="\${COMP_WORDS[index]}"`,
    '    if ((skip)); then skip=0; continue; fi',
    ...walk(all),
    '  done',
    '  case "$place $prev" in',
    ...values,
    '  esac',
    '  if [[ -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); return; fi',
    '  if ((skip)); then COMPREPLY=($(compgen -f -- "$cur")); return; fi',
    '  case "$place" in',
    ...words,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -F _gcos gcos',
  ].join('\n');
}

function zsh(all: readonly Place[]): string {
  const { words, values } = cases(all);
  return [
    '#compdef gcos',
    '# Completion of gcos for zsh: source <(gcos completion zsh)',
    '_gcos() {',
    `  local place="" next word list="" index prev="\${words[CURRENT-1]}"`,
    '  local -i skip=0',
    `  local -a typed=("\${words[@]}")`,
    '  for ((index = 2; index < CURRENT; index++)); do',
    `    word="\${typed[index]}"`,
    '    if ((skip)); then skip=0; continue; fi',
    ...walk(all),
    '  done',
    '  case "$place $prev" in',
    ...values.map((line) => line.replace(') words=', ') list=')),
    '  esac',
    '  if [[ -n "$list" ]]; then compadd -- $=list; return; fi',
    '  if ((skip)); then _files; return; fi',
    '  case "$place" in',
    ...words.map((line) => line.replace(') words=', ') list=')),
    '  esac',
    '  compadd -- $=list',
    '}',
    'compdef _gcos gcos',
  ].join('\n');
}

function fish(all: readonly Place[]): string {
  const text = (about: string) => `'${about.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const at = (path: string) => `-n ${text(`test "(__gcos_place)" = "${path}"`)}`;
  return [
    '# Completion of gcos for fish: gcos completion fish | source',
    'function __gcos_place',
    '  set -l place',
    '  set -l skip 0',
    '  for word in (commandline -opc)[2..-1]',
    '    if test $skip = 1; set skip 0; continue; end',
    '    switch $word',
    `      case ${valued(all).join(' ')}`,
    '        set skip 1',
    "      case '-*'",
    "      case '*'",
    `        if contains -- (string join ' ' $place $word) ${all.map(({ path }) => text(path)).join(' ')}`,
    '          set -a place $word',
    '        end',
    '    end',
    '  end',
    "  string join ' ' $place",
    'end',
    'complete -c gcos -f',
    ...all.flatMap(({ path, commands, options }) => [
      ...commands.map(
        (each) => `complete -c gcos ${at(path)} -a ${text(each.name())} -d ${text(each.description())}`,
      ),
      ...options.map((each) => {
        const values = each.argChoices === undefined ? '' : ` -a ${text(each.argChoices.join(' '))}`;
        return `complete -c gcos ${at(path)} -l ${(each.long ?? '').replace(/^--/, '')}${each.required ? ' -r' : ''}${values} -d ${text(each.description)}`;
      }),
    ]),
  ].join('\n');
}

const WRITERS: Readonly<Record<Shell, (all: readonly Place[]) => string>> = { bash, zsh, fish };

export function completionCommand(program: () => Command): Command {
  return makeCommand('completion', 'print a script that completes commands and options in a shell')
    .argument('<shell>', SHELLS.join(', '), oneOf('shell', SHELLS))
    .action((shell: Shell, flags: CommonFlags) =>
      runCommand(flags, async ({ out }) => {
        const script = WRITERS[shell](places(program()));
        out.document({ shell, script }, script);
        return undefined;
      }),
    );
}
