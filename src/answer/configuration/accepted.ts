// Owns what gcos.yaml accepts: which gap of an object, which finding of a detector, until when and why; and
// the baseline of a legacy estate, which can only shrink, or be renewed on purpose.
import { readFileSync } from 'node:fs';
import { hasCode, replaceFile, setInYaml } from '../../kernel/index.js';
import { type ObjectGap, requireListable } from '../../rule/exception/index.js';
import type { AcceptedGap, Baseline } from './document.js';
import { configurationErrors } from './errors.js';
import { readConfiguration } from './file.js';

/** A baseline lasts this long, its last day not included: 90 days at most. */
const DAYS = 89;
const DAY_MS = 86_400_000;

/** An object that a detector lists. */
export interface ListedObject {
  readonly collection: string;
  readonly code: string;
  readonly detector: string;
}

interface Acceptance {
  readonly reason: string;
  /** The last day. */
  readonly until: string;
}

export interface Acceptances {
  gap(gap: ObjectGap & { readonly class: string }): Acceptance | undefined;
  finding(found: ListedObject): Acceptance | undefined;
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);
const gapKey = ({ collection, code, scope, link }: ObjectGap): string => keyOf(collection, code, scope, link);
const findingKey = ({ collection, code, detector }: ListedObject): string =>
  keyOf(collection, code, detector);

const isAbout = (accepted: AcceptedGap, gap: Parameters<Acceptances['gap']>[0]): boolean =>
  accepted.scope === gap.scope &&
  (accepted.link === undefined || accepted.link === gap.link) &&
  (accepted.class === undefined
    ? accepted.collection === gap.collection && (accepted.code === undefined || accepted.code === gap.code)
    : accepted.class === gap.class);

/** What the file accepts on the day `today`. */
export function readAcceptances(file: string, today: string): Acceptances {
  const { accepted_gaps: single, baseline } = readConfiguration(file).document;
  const last = new Date(Date.parse(today) + (DAYS + 1) * DAY_MS).toISOString().slice(0, 10);
  if (baseline !== undefined && baseline.until > last)
    throw configurationErrors.baseline_too_long(`the baseline ends on ${baseline.until}, after ${last}`);
  const holds = ({ until }: Acceptance): boolean => until >= today;
  const listed = baseline !== undefined && holds(baseline) ? baseline : undefined;
  const gaps = new Set(listed?.gaps.map(gapKey));
  const findings = new Set(listed?.findings.map(findingKey));
  return {
    gap: (gap) => (gaps.has(gapKey(gap)) ? listed : single.find((each) => holds(each) && isAbout(each, gap))),
    finding: (found) => (findings.has(findingKey(found)) ? listed : undefined),
  };
}

const REASON = 'was there when this estate was first governed';

export interface WrittenBaseline {
  readonly file: string;
  readonly until: string;
  readonly gaps: number;
  readonly findings: number;
  /** New gaps and findings, which an existing baseline does not accept. */
  readonly left: number;
}

/**
 * Writes the baseline of an estate into gcos.yaml. An existing one keeps its end and loses what is no longer
 * lacking; `renew` begins another one with everything that is lacking today. The baselines of other estates,
 * whose collections are not among `collections`, stay.
 */
export function writeBaseline(
  file: string,
  today: {
    readonly gaps: readonly ObjectGap[];
    readonly findings: readonly ListedObject[];
    readonly collections: readonly string[];
  },
  { renew, now }: { readonly renew: boolean; readonly now: Date },
): WrittenBaseline {
  let text = 'version: 1\n';
  let before: Baseline | undefined;
  try {
    text = readFileSync(file, 'utf8');
    before = readConfiguration(file).document.baseline;
  } catch (error) {
    if (!hasFileCode(error, 'ENOENT')) throw error;
  }
  const own = new Set(today.collections);
  const others = <T extends { readonly collection: string }>(all: readonly T[] | undefined) =>
    (all ?? []).filter((each) => !own.has(each.collection));
  const [oldGaps, oldFindings] = [
    new Set(before?.gaps.map(gapKey)),
    new Set(before?.findings.map(findingKey)),
  ];
  // A list that has nothing of this estate is the beginning of one.
  const begins =
    renew ||
    before === undefined ||
    others(before.gaps).length + others(before.findings).length ===
      before.gaps.length + before.findings.length;
  const gaps = today.gaps.filter((each) => begins || oldGaps.has(gapKey(each)));
  const findings = today.findings.filter((each) => begins || oldFindings.has(findingKey(each)));
  const last = new Date(now.getTime() + DAYS * DAY_MS).toISOString().slice(0, 10);
  const baseline: Baseline = {
    until: renew || before === undefined ? last : before.until,
    reason: before?.reason ?? REASON,
    gaps: [...others(before?.gaps), ...gaps],
    findings: [...others(before?.findings), ...findings],
  };
  // Before the file: a list that no request takes would make it useless.
  requireListable(baseline.gaps);
  replaceFile(file, setInYaml(text, 'baseline', baseline));
  return {
    file,
    until: baseline.until,
    gaps: gaps.length,
    findings: findings.length,
    left: today.gaps.length - gaps.length + (today.findings.length - findings.length),
  };
}

const hasFileCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === code && !hasCode(error, code);
