// What the ledgers that were closed say about the course of time.
import type { components } from '../../api/schema';

type Run = components['schemas']['Run'];

interface ClosedScope {
  readonly scope: string;
  readonly total: number;
  readonly orphans: number;
  readonly unverified: number;
}
interface Closing {
  readonly at: string;
  readonly closes: boolean;
  readonly scopes: readonly ClosedScope[];
}

/** The ledger that a run counted; undefined: it counted none. */
export function closingOf({ ledger }: Run): Closing | undefined {
  const found = ledger as Partial<Closing> | null | undefined;
  return found?.scopes === undefined || found.at === undefined ? undefined : (found as Closing);
}

/** The smallest and the largest share verified, over the scopes. */
export function verifiedOf(run: Run): { readonly least: number; readonly most: number } | undefined {
  const shares = (closingOf(run)?.scopes ?? [])
    .filter(({ total }) => total > 0)
    .map(({ total, unverified }) => (total - unverified) / total);
  return shares.length === 0 ? undefined : { least: Math.min(...shares), most: Math.max(...shares) };
}

export interface Point {
  readonly at: string;
  readonly verified: number;
  readonly exposure: number;
  readonly orphans: number;
  readonly unverified: number;
}

/** Over all scopes, oldest first: the share verified, and the exposure: units that are orphans or unverified. */
export function pointsOf(runs: readonly Run[]): Point[] {
  return runs
    .flatMap((run) => closingOf(run) ?? [])
    .map(({ at, scopes }) => {
      const sum = (of: (scope: ClosedScope) => number) => scopes.reduce((total, each) => total + of(each), 0);
      const [total, orphans, unverified] = [
        sum((s) => s.total),
        sum((s) => s.orphans),
        sum((s) => s.unverified),
      ];
      return {
        at,
        orphans,
        unverified,
        exposure: orphans + unverified,
        verified: total === 0 ? 0 : 1 - unverified / total,
      };
    })
    .sort((left, right) => Date.parse(left.at) - Date.parse(right.at));
}
