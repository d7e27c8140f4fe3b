export type { Permission } from './identity.js';
export { SERVER_METRICS } from './metrics.js';
export { describeApi, openServer, type RunningServer, type ServerOptions } from './server.js';
