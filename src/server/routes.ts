// Owns the list of all routes. The server runs them, the OpenAPI document describes them, and tests try each
// without a credential, with too little permission and with an expired one.
import { requestRoutes } from './requests.js';
import type { Route } from './route.js';
import { statusRoutes } from './status.js';

/** Every route that needs a credential. */
export const resourceRoutes: readonly Route[] = [...statusRoutes, ...requestRoutes];
