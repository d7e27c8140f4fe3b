export type { Permission } from './identity.js';
export { openServer, type RunningServer, type ServerOptions } from './server.js';
