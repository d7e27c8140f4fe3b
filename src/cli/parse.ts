// Owns the values of options and arguments: each kind of value has one parser, which names the option in its
// error. The checks themselves are those of the library.
import { Option } from 'commander';
import {
  parseDuration,
  requireAddress,
  requireId,
  requireKnown,
  requirePosition,
  requireText,
  requireTime,
  requireWhole,
  valueErrors,
} from '../kernel/index.js';

/** A whole number between two others. */
export const whole =
  (name: string, least: number, most: number) =>
  (text: string): number =>
    requireWhole(name, text, least, most);

/** The id of a row. */
export const idOf =
  (name: string) =>
  (text: string): bigint =>
    requireId(name, text);

/** A position to continue after. */
export const position =
  (name: string) =>
  (text: string): bigint =>
    requirePosition(name, text);

/** A date, or a time with its zone. */
export const time =
  (name: string) =>
  (text: string): string =>
    requireTime(name, text);

/** A text that is not blank, such as a reason. */
export const words =
  (name: string) =>
  (text: string): string =>
    requireText(name, text);

/** A name or a code that is not blank; whether it exists, the library decides. */
export const nameOf =
  (name: string) =>
  (text: string): string => {
    if (text.trim() === '') throw valueErrors.value_invalid(`${name}: the value is empty`);
    return text;
  };

/** An address of this machine to serve on. */
export const address =
  (name: string) =>
  (text: string): string =>
    requireAddress(name, text);

/** A duration in milliseconds: `500ms`, `30s`, `5m`, `2h`. */
export const duration =
  (name: string) =>
  (text: string): number => {
    const ms = parseDuration(text);
    if (ms !== undefined) return ms;
    throw valueErrors.value_invalid(`${name}: \`${text}\` is not a duration such as 500ms, 30s or 5m`);
  };

const DAY_MS = 86_400_000;

/** Milliseconds of `30d`, `2w`, or any other duration such as `12h`. */
export const span =
  (name: string) =>
  (text: string): number => {
    const match = /^(\d{1,5})([dw])$/.exec(text.trim());
    const ms = match === null ? parseDuration(text) : Number(match[1]) * DAY_MS * (match[2] === 'w' ? 7 : 1);
    if (ms !== undefined && ms > 0) return ms;
    throw valueErrors.value_invalid(`${name}: \`${text}\` is not a span such as 30d, 2w or 12h`);
  };

/** One of these words. */
export const oneOf =
  <const T extends string>(name: string, known: readonly T[]) =>
  (text: string): T =>
    requireKnown(text, { what: `value of ${name}`, known });

/** Some of these words, separated by commas. */
export const someOf =
  <const T extends string>(name: string, known: readonly T[]) =>
  (text: string): readonly T[] =>
    text.split(',').map((each) => oneOf(name, known)(each.trim()));

/** An option whose values the help lists. */
export function choice<const T extends string>(flags: string, about: string, known: readonly T[]): Option {
  const [name = flags] = flags.split(' ');
  return new Option(flags, about).choices(known).argParser(oneOf(name, known));
}
