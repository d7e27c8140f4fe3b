// Owns the text form of gate answers.
import type { CheckLine, GateAsOf, GateCheck, GateDecision, GateFix, PastCheck } from '../index.js';
import { alignColumns, type Output, tableLines } from './output.js';
import { moreLines } from './page.js';

/** How many decisions of one check are shown; --json and `gate why` have all. */
const SHOWN = 20;

const nameOf = ({ subject }: GateDecision): string =>
  'group' in subject ? `group ${subject.group}` : `${subject.collection} / ${subject.code}`;

function verdictOf(decision: GateDecision, out: Output): string {
  if (decision.breakGlass !== null) return out.tone('warn', `ALLOW, break-glass ${decision.breakGlass}`);
  if (decision.answer === 'block')
    return decision.mode === 'observe' ? out.tone('warn', 'WOULD BLOCK') : out.tone('bad', 'BLOCK');
  return decision.answer === 'allow' ? out.tone('good', 'ALLOW') : out.tone('warn', 'ALLOW AND RESCAN');
}

function evidenceLines({ evidence }: GateDecision): string[] {
  const under = new Map<string, string[]>();
  for (const each of evidence) {
    const stamp = `snapshot ${each.snapshot}, ruleset ${each.ruleset}, scanned ${each.scanTime}`;
    under.set(stamp, [...(under.get(stamp) ?? []), each.scope]);
  }
  return [...under].map(([stamp, scopes]) => `  under ${stamp} (${scopes.join(', ')})`);
}

/** The bodies in a column; the host may name none. */
export const whoText = (who: readonly string[]): string =>
  who.length === 0 ? 'an authorized person' : who.join(', ');

/** With the actor first: `THE-BODY can give … an approval path`. */
export const fixText = ({ what, who }: GateFix): string =>
  who.length === 0 ? `${whoText(who)}: ${what}` : `${who.join(' or ')} can ${what}`;

/** `decided`: false if no answer was possible; its fix is then the help of an error, for the caller. */
function decisionLines(decision: GateDecision, out: Output, decided: boolean): string[] {
  const risk = decision.highRisk ? 'high risk' : 'low risk';
  return [
    `${verdictOf(decision, out)}  ${nameOf(decision)}  (${decision.stage}, ${decision.action}, ${risk})`,
    ...alignColumns(
      decision.reasons.map((each) => [`  ${each.code}`, each.scope ?? 'everywhere', each.sentence]),
    ),
    ...decision.fixes.map((fix) => `  → ${decided ? fixText(fix) : fix.what}`),
    ...evidenceLines(decision),
  ];
}

function manyLines(decisions: readonly GateDecision[], out: Output, decided: boolean): string[] {
  // Blocks come first.
  const rank = (each: GateDecision) => (each.answer === 'block' ? 0 : each.answer === 'allow' ? 2 : 1);
  const ordered = [...decisions].sort((left, right) => rank(left) - rank(right));
  const rest = ordered.length - SHOWN;
  return [
    ...ordered.slice(0, SHOWN).flatMap((each) => decisionLines(each, out, decided)),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ];
}

const watchedText = (watchedAt: string | null): string =>
  watchedAt === null ? 'never watched' : `watched as of ${watchedAt}`;

export function checkLines(check: GateCheck, out: Output): string[] {
  const { decisions } = check;
  const count = (answer: string, mode?: string) =>
    decisions.filter((each) => each.answer === answer && (mode === undefined || each.mode === mode)).length;
  const sum =
    decisions.length === 1
      ? []
      : [
          `${decisions.length} questions: ${count('allow')} allow, ${count('allow_and_rescan')} allow and rescan, ${count('block', 'enforce')} block, ${check.wouldBlock} would block`,
        ];
  return [
    ...manyLines(decisions, out, check.id !== null),
    ...sum,
    ...(check.id === null ? [] : [watchedText(check.watchedAt)]),
    check.id === null ? 'not recorded' : `recorded as ${check.id}: \`gcos gate why ${check.id}\``,
  ];
}

/** The lines of an answer as of another time: each says that it is no decision. */
export function asOfLines(found: GateAsOf, out: Output): string[] {
  const lines = found.answers.slice(0, SHOWN).flatMap(({ wouldBe, wouldUsePass, ...rest }) => {
    const [title = '', ...details] = decisionLines(
      { ...rest, answer: wouldBe, breakGlass: wouldUsePass, validUntil: null },
      out,
      true,
    );
    return [`would be ${title}`, ...details];
  });
  const more = found.answers.length - SHOWN;
  return [
    `as of ${found.asOf}, by what is stored now:`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    watchedText(found.watchedAt),
    out.tone('warn', 'not a decision and not recorded: check without --at for one'),
  ];
}

export function pastLines(past: PastCheck, out: Output): string[] {
  const who = past.person === null ? past.login : `${past.person} (${past.login})`;
  return [
    `check ${past.id}, by ${who} at ${past.at}`,
    watchedText(past.watchedAt),
    ...past.decisions.flatMap((each) => decisionLines(each, out, true)),
    ...moreLines(past.next),
  ];
}

export function listLines(page: {
  readonly checks: readonly CheckLine[];
  readonly next: string | null;
}): string[] {
  if (page.checks.length === 0) return ['no gate checks'];
  return [
    ...tableLines(
      ['check', 'at', 'by', 'items', 'allow', 'rescan', 'block', 'would block', 'break-glass', 'first'],
      page.checks.map((each) => [
        String(each.id),
        each.at,
        each.person ?? each.login,
        ...[each.items, each.allowed, each.toRescan, each.blocked, each.wouldBlock, each.breakGlass].map(
          String,
        ),
        each.first ?? '',
      ]),
    ),
    ...moreLines(page.next),
  ];
}
