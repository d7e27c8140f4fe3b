export type { Permission } from './identity.js';
export { describeApi, openServer, type RunningServer, type ServerOptions } from './server.js';
