// Owns the text of what a request to activate a ruleset would change: the changed rules in words, and the
// flips.
import type { FieldChange, ProposedActivation } from '../index.js';
import { alignColumns, formatCount } from './output.js';
import { exampleLines, flipLines } from './ruleset-flips.js';

/** A first ruleset changes everything: the screen shows the first changes, `--json` all of them. */
const SHOWN = 12;

const value = (field: FieldChange['from']): string =>
  field === null
    ? 'nothing'
    : (typeof field === 'string' ? field : JSON.stringify(field)).replaceAll(/\s+/g, ' ');

/** One line per change; a field that the line does not spell out, such as a query, follows in full. */
function changeLines({ changes, lines }: ProposedActivation): string[] {
  return changes.slice(0, SHOWN).flatMap((change, index) => {
    const line = lines[index] ?? '';
    const long =
      change.change === 'changed'
        ? Object.entries(change.fields).filter(([name]) =>
            line.includes(`${change.component === 'settings' ? 'value' : name} changed`),
          )
        : [];
    return [
      `  ${line}`,
      ...alignColumns(
        long.flatMap(([name, { from, to }]) => [
          [`    ${name} was`, value(from)],
          [`    ${name} is`, value(to)],
        ]),
      ),
    ];
  });
}

/** What an approver decides on. */
export function proposedLines(activation: ProposedActivation): string[] {
  const { from, to, changes, flips, withheld } = activation;
  const rest = changes.length - SHOWN;
  return [
    `${formatCount(changes.length)} changed ${changes.length === 1 ? 'rule' : 'rules'}`,
    ...changeLines(activation),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : []),
    from === null
      ? `\`gcos ruleset show ${to} --content\` shows every field`
      : `\`gcos ruleset diff ${from} ${to} --json\` shows every field`,
    ...(flips === null
      ? [`the flips cannot be shown: ${withheld}`]
      : [...flipLines(flips), ...exampleLines(flips)]),
  ];
}
