// Owns the sentences of a worker's log: what a duty did, and for how long it failed. The fields beside them
// are for machines.

/** What each count of a round is called; the name of the count by default. */
const NAMES: Readonly<Record<string, string>> = {
  births: 'births taken in',
  lines: 'lines of host logs read',
  registry_rows: 'changed registry rows',
  set_aside: 'births set aside',
  rebased: 'sources read again from the beginning',
  groups: 'groups scanned',
  changed: 'rows changed',
  throttled: 'scans cut short',
  detectors_violated: 'detectors violated',
  detectors_not_evaluated: 'detectors not evaluated',
  promoted: 'signals sent',
  ranges: 'ranges sealed',
  answers: 'answers of the gate sealed',
  delivered: 'messages delivered to webhooks',
  dead_lettered: 'set aside as dead letters',
  numbered: 'entries of the feed numbered',
  raised: 'findings raised',
  reopened: 'findings reopened',
  resolved: 'findings resolved',
  escalated: 'notifications escalated',
  objects: 'objects of a source read',
};

/** For example `intake: 1 births taken in, 6 groups marked`. */
export function didSentence(duty: string, did: Readonly<Record<string, number>>): string {
  const parts = Object.entries(did)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${NAMES[name] ?? name.replaceAll('_', ' ')}`);
  return `${duty}: ${parts.join(', ')}`;
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10;

export interface Failure {
  readonly duty: string;
  readonly code: string;
  readonly error: string;
  /** Errors since the last success. */
  readonly failures: number;
  readonly failingMs: number;
  /** Undefined: this error ends no round. */
  readonly retryMs: number | undefined;
}

export function failedSentence({ duty, code, error, failures, failingMs, retryMs }: Failure): string {
  const since = failures === 1 ? '' : `, error ${failures} in ${seconds(failingMs)} s`;
  const next = retryMs === undefined ? '' : `; it tries again in ${seconds(retryMs)} s`;
  return `${duty} failed${since}: ${code}: ${error}${next}`;
}

export const recoveredSentence = ({
  duty,
  code,
  failures,
  failingMs,
}: Omit<Failure, 'error' | 'retryMs'>): string =>
  `${duty} works again, after ${failures} errors in ${seconds(failingMs)} s; the last one was ${code}`;

export const inSeconds = seconds;
