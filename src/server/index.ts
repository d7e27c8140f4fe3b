export type { Permission } from './identity.js';
export { openServer, type RunningServer, type ServerOptions } from './server.js';
export { SERVER_METRICS } from './metrics.js';
