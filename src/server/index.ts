export type { Permission } from './identity.js';
export { openServer, type RunningServer } from './server.js';
