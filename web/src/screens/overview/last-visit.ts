// What a person saw on their last visit, kept in this browser, so that the next visit can say what changed. A
// visit has ended once the Overview was not open for half an hour.
const PREFIX = 'gcos.visit.';
const VISIT_ENDS_MS = 30 * 60_000;

export interface Visit {
  readonly at: string;
  readonly rules: string | null;
  /** Counts by name. */
  readonly figures: Readonly<Record<string, number>>;
}
interface Stored {
  /** The visit before this one; null: there was none in this browser. */
  readonly before: Visit | null;
  readonly latest: Visit;
}

function readStored(person: string): Stored | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + person) ?? 'null') as Partial<Stored> | null;
    return typeof found?.latest?.at === 'string' ? (found as Stored) : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers what this person sees now; returns what they saw when their last visit ended. */
export function noteVisit(person: string, now: Visit): Visit | null {
  const stored = readStored(person);
  const isNew = stored !== undefined && Date.parse(now.at) - Date.parse(stored.latest.at) > VISIT_ENDS_MS;
  const before = isNew ? stored.latest : (stored?.before ?? null);
  localStorage.setItem(PREFIX + person, JSON.stringify({ before, latest: now } satisfies Stored));
  return before;
}
