// Owns the list of all routes. The server runs them, the OpenAPI document describes them, and tests try each
// without a credential, with too little permission and with an expired one.
import { eventRoutes } from './events.js';
import { findingRoutes } from './findings.js';
import { ledgerRoutes } from './ledger.js';
import { objectRoutes } from './objects.js';
import { operationRoutes } from './operations.js';
import { requestRoutes } from './requests.js';
import { rootRoutes } from './root.js';
import type { Route } from './route.js';
import { ruleRoutes } from './rules.js';
import { statusRoutes } from './status.js';
import { unitRoutes } from './units.js';

/** Every route that needs a credential. */
export const resourceRoutes: readonly Route[] = [
  ...rootRoutes,
  ...statusRoutes,
  ...ledgerRoutes,
  ...unitRoutes,
  ...objectRoutes,
  ...findingRoutes,
  ...requestRoutes,
  ...ruleRoutes,
  ...operationRoutes,
  ...eventRoutes,
];
