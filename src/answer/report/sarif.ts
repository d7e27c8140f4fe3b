// Owns reports as SARIF 2.1.0: one result per fix, with a fingerprint, logical locations, and a suppression
// for what an exception accepts.
import type { Report, ReportResult } from './report.js';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
/** In a new form of fingerprints, this number changes. */
const FINGERPRINT = 'gcos/v1';

const textOf = ({ message, fix }: ReportResult): string =>
  fix === null ? message : `${message}\nFix: ${fix}`;

function resultOf(result: ReportResult, ruleIndex: number): object {
  const passed = result.level === 'pass';
  return {
    ruleId: result.rule,
    ruleIndex,
    kind: passed ? 'pass' : 'fail',
    level: passed ? 'none' : result.level,
    message: { text: textOf(result) },
    locations: [
      {
        logicalLocations: result.subjects.map(({ name, key, kind }) => ({
          name,
          fullyQualifiedName: key,
          kind,
        })),
      },
    ],
    partialFingerprints: { [FINGERPRINT]: result.fingerprint },
    suppressions:
      result.accepted === null
        ? []
        : [
            {
              kind: 'external',
              status: 'accepted',
              justification: `${result.accepted.by}: ${result.accepted.reason} (until ${result.accepted.until})`,
            },
          ],
    ...(result.fix === null ? {} : { properties: { fix: result.fix } }),
  };
}

export function sarifOf({ version, results }: Report): string {
  const rules = [...new Set(results.map((each) => each.rule))].sort();
  const document = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'gcos',
            version,
            rules: rules.map((id) => ({ id, shortDescription: { text: id.replaceAll('_', ' ') } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: results.map((each) => resultOf(each, rules.indexOf(each.rule))),
      },
    ],
  };
  return JSON.stringify(document, null, 2);
}
