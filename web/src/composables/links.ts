// Where a count of the API leads in the console: the screen that shows the same list, with the same filter, at
// the same moment.
import type { RouteLocationRaw } from 'vue-router';

export interface Count {
  readonly count: number;
  readonly href: string;
}

/** The screens of the lists of the API. */
const SCREENS: Readonly<Record<string, string>> = {
  '/api/v1/ledger/units': '/ledger/units',
  '/api/v1/units': '/ledger/units',
  '/api/v1/findings': '/findings',
  '/api/v1/groups': '/groups',
  '/api/v1/objects': '/objects',
  '/api/v1/requests': '/requests',
  '/api/v1/exceptions': '/exceptions',
  '/api/v1/dead-letters': '/operations/dead-letters',
};

/** Undefined: the console has no screen for this list. */
export function screenOf({ href }: Count): RouteLocationRaw | undefined {
  const address = new URL(href, location.origin);
  const path = SCREENS[address.pathname];
  return path === undefined ? undefined : { path, query: Object.fromEntries(address.searchParams) };
}
