// Owns reports as JUnit XML: one test case per result; what an exception accepts is skipped.
import type { Report, ReportResult } from './report.js';

/** What XML 1.0 cannot contain, not even escaped. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would make spaces of these in an attribute.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const xml = (text: string): string =>
  text
    .replaceAll(UNWRITABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character);

function bodyOf({ level, accepted, rule, message, fix }: ReportResult): string {
  const fixLine = fix === null ? '' : `Fix: ${fix}`;
  if (accepted !== null)
    return `<skipped message="${xml(`${accepted.by}: ${accepted.reason} (until ${accepted.until})`)}"/>`;
  if (level === 'pass') return '';
  if (level === 'note')
    return `<system-out>${xml([message, fixLine].filter((line) => line !== '').join('\n'))}</system-out>`;
  return `<failure type="${xml(rule)}" message="${xml(message)}">${xml(fixLine)}</failure>`;
}

export function junitOf({ title, results }: Report): string {
  const failures = results.filter(
    ({ level, accepted }) => accepted === null && (level === 'error' || level === 'warning'),
  ).length;
  const skipped = results.filter(({ accepted }) => accepted !== null).length;
  const counts = `name="${xml(title)}" tests="${results.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  const cases = results.map((each) => {
    const name = each.subjects.map((subject) => subject.name).join(', ') || each.message;
    return `    <testcase classname="${xml(each.rule)}" name="${xml(name)}">${bodyOf(each)}</testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
