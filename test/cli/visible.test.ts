// What a command prints: hidden characters are shown, whatever they come from, and letters stay.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { alignColumns, Output, printDetails, printLog, printWarning } from '../../src/cli/output.js';
import { visible, visibleJson, visibleLines } from '../../src/cli/visible.js';
import { defineErrors } from '../../src/kernel/index.js';
import { HIDDEN_TEXT, LETTERS, unseenIn } from '../support/hidden.js';

describe('visible text', () => {
  it.each([
    ['an escape sequence', '\x1b[31m', '\\u{1b}[31m'],
    ['a C1 control', 'a\u009bb', 'a\\u{9b}b'],
    ['delete and a null', '\x7f\0', '\\u{7f}\\u{0}'],
    ['line breaks', 'a\nb\r\u2028\u2029', 'a\\u{a}b\\u{d}\\u{2028}\\u{2029}'],
    [
      'bidirectional marks',
      '\u202a\u202e\u2066\u2069\u200f',
      '\\u{202a}\\u{202e}\\u{2066}\\u{2069}\\u{200f}',
    ],
    ['characters without a width', '\u200b\u200d\ufeff\u00ad', '\\u{200b}\\u{200d}\\u{feff}\\u{ad}'],
    ['a blank letter', '\u3164', '\\u{3164}'],
    ['a tag', '\u{e0041}', '\\u{e0041}'],
    ['half of a pair', 'a\ud83d', 'a\\u{d83d}'],
    ['letters', LETTERS, LETTERS],
    ['an emoji', '⚙\ufe0f 𝔘', '⚙\ufe0f 𝔘'],
  ])('shows %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(visible(shown)).toBe(shown);
    expect(JSON.parse(visibleJson(JSON.stringify({ [text]: [text] }, null, 2)))).toEqual({ [text]: [text] });
    expect(unseenIn(visibleJson(JSON.stringify(text)).replaceAll('\ufe0f', ''))).toEqual([]);
  });

  it('keeps line breaks and tabs where lines are meant', () => {
    expect(visibleLines('a\n\tb\x1b\r\n')).toBe('a\n\tb\\u{1b}\\u{d}\n');
  });

  it('is measured as it is shown', () => {
    expect(
      alignColumns([
        ['a\x1b', 'x'],
        ['b', 'y'],
      ]),
    ).toEqual(['a\\u{1b}  x', 'b        y']);
  });
});

describe('the output of a command', () => {
  const printed: string[] = [];
  const terminal = process.stdout.isTTY;
  function capture(isTTY: boolean): void {
    printed.length = 0;
    process.stdout.isTTY = isTTY;
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((text) => {
        printed.push(String(text));
        return true;
      });
  }
  afterEach(() => {
    vi.restoreAllMocks();
    process.stdout.isTTY = terminal;
  });
  const errors = defineErrors({ bad: { exit: 1, when: '', help: '' } });
  const error = errors.bad(HIDDEN_TEXT, { help: HIDDEN_TEXT, facts: { name: HIDDEN_TEXT } });

  it('on a terminal has no escape sequence but those of its own colours', () => {
    capture(true);
    const out = new Output({ json: false, quiet: false });
    out.result({}, () => [`${out.tone('bad', HIDDEN_TEXT)} ${HIDDEN_TEXT}`]);
    expect(printed.join('')).toBe(`\x1b[31m${visible(HIDDEN_TEXT)}\x1b[39m ${visible(HIDDEN_TEXT)}\n`);
  });

  it('has no hidden character in results, notes, progress, errors, logs and details', () => {
    capture(false);
    const out = new Output({ json: false, quiet: false });
    out.result({}, () => [HIDDEN_TEXT]);
    out.note(HIDDEN_TEXT);
    out.progress(HIDDEN_TEXT).finish(HIDDEN_TEXT);
    out.failure(error);
    printWarning(HIDDEN_TEXT);
    printLog(JSON.stringify({ error: HIDDEN_TEXT }));
    const lines = printed.join('').split('\n');
    printDetails(error);
    expect(unseenIn(printed.join(''))).toEqual([]);
    // One line each; the error has another one for its help.
    expect(lines).toHaveLength(8);
    for (const line of lines.slice(0, -1)) expect(line).toContain(LETTERS);
  });

  it('is exact in JSON', () => {
    capture(false);
    const out = new Output({ json: true, quiet: false });
    out.result({ name: HIDDEN_TEXT }, () => []);
    expect(JSON.parse(printed[0] ?? '')).toEqual({ name: HIDDEN_TEXT });
    out.failure(error);
    expect(JSON.parse(printed[1] ?? '')).toEqual({
      error: { code: 'bad', message: HIDDEN_TEXT, help: HIDDEN_TEXT, name: HIDDEN_TEXT },
    });
    expect(unseenIn(printed.join(''))).toEqual([]);
  });

  it('is exact for a document in a file, and visible for one on a terminal', () => {
    capture(false);
    new Output({ json: false, quiet: false }).document({}, HIDDEN_TEXT);
    expect(printed).toEqual([`${HIDDEN_TEXT}\n`]);
    capture(true);
    new Output({ json: false, quiet: false }).document({}, `${HIDDEN_TEXT}\n`);
    expect(printed).toEqual([visibleLines(`${HIDDEN_TEXT}\n`)]);
    expect(unseenIn(printed.join(''))).toEqual([]);
  });

  it('shows the lines of a help apart, and no line that a name invents', () => {
    capture(false);
    const several = errors.bad('m', { help: ['run:', 'create role "a\nb"'] });
    new Output({ json: false, quiet: false }).failure(several);
    expect(printed.join('')).toBe('bad: m\n  help: run:\n        create role "a\\u{a}b"\n');
    expect(several.help).toBe('run:\ncreate role "a\nb"');
  });
});
