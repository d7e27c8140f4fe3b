// Owns `gcos govern --baseline`: what a legacy estate lacks today, as a list in gcos.yaml and as exceptions
// in the home, with one request.
import { type WrittenBaseline, writeBaseline } from '../answer/configuration/index.js';
import type { EstateFlaw, EstateReport, Gcos } from '../index.js';
import type { Context } from './command.js';
import { acceptGaps, type Governed } from './govern-run.js';
import { formatCount } from './output.js';

/** As the gate counts open findings: those of these severities block. */
const BLOCKING: readonly string[] = ['critical', 'high'];

/** What blocks a check, of what detectors list. */
export const blockingFlaws = ({ flaws }: Pick<EstateReport, 'flaws'>): readonly EstateFlaw[] =>
  flaws.filter((each) => BLOCKING.includes(each.severity));

/** The collection of a class of a source. */
export const collectionOf = (source: string, objectClass: string): string => `${source}_${objectClass}`;

export async function acceptToday(
  gcos: Gcos,
  context: Context,
  done: Governed,
  { file, renew }: { readonly file: string; readonly renew: boolean },
): Promise<readonly [Governed, WrittenBaseline]> {
  const { estate } = done;
  const written = writeBaseline(
    file,
    {
      gaps: estate.lacks.map(({ collection, code, scope, link }) => ({ collection, code, scope, link })),
      findings: blockingFlaws(estate).map((each) => ({
        collection: collectionOf(estate.source, each.class),
        code: each.code,
        detector: each.detector,
      })),
      collections: estate.classes.map((each) => collectionOf(estate.source, each.class)),
    },
    { renew, now: new Date() },
  );
  if (!(await acceptGaps(gcos, context, { config: file, approves: true }))) return [done, written];
  return [
    { ...done, ledger: await gcos.ledgers.verify(), estate: await gcos.estates.report(estate.source) },
    written,
  ];
}

export const baselineLines = ({ file, until, gaps, findings, left }: WrittenBaseline): string[] => [
  `${file}: ${formatCount(gaps)} gaps and ${formatCount(findings)} findings are accepted until ${until}; only new ones block \`--check\``,
  ...(left === 0
    ? []
    : [
        `${formatCount(left)} are newer than the baseline and not accepted: \`--renew\` begins another one with what is lacking today`,
      ]),
];
