// Owns the list of all routes. The server runs them, the OpenAPI document describes them, and tests try each
// without a credential, with too little permission and with an expired one.
import { authZenRoutes } from './authzen.js';
import { eventRoutes } from './events.js';
import { exceptionActs } from './exception-acts.js';
import { findingRoutes } from './findings.js';
import { gateRoutes } from './gate.js';
import { ledgerRoutes } from './ledger.js';
import { mapRoutes } from './map.js';
import { objectRoutes } from './objects.js';
import { operationActs } from './operation-acts.js';
import { operationRoutes } from './operations.js';
import { requestRoutes } from './requests.js';
import { rootRoutes } from './root.js';
import type { Route } from './route.js';
import { ruleRoutes } from './rules.js';
import { rulesetActs } from './ruleset-acts.js';
import { statusRoutes } from './status.js';
import { tokenRoutes } from './tokens.js';
import { unitRoutes } from './units.js';
import { workOrderRoutes } from './work-orders.js';

/** Every route of a resource. */
export const resourceRoutes: readonly Route[] = [
  ...rootRoutes,
  ...statusRoutes,
  ...ledgerRoutes,
  ...unitRoutes,
  ...mapRoutes,
  ...objectRoutes,
  ...findingRoutes,
  ...requestRoutes,
  ...ruleRoutes,
  ...rulesetActs,
  ...exceptionActs,
  ...operationRoutes,
  ...operationActs,
  ...workOrderRoutes,
  ...eventRoutes,
  ...tokenRoutes,
  ...gateRoutes,
  ...authZenRoutes,
];
