export { type Binaries, findBinaries } from './binaries.js';
export { embeddedErrors } from './errors.js';
export { openReader } from './reader.js';
export { type EmbeddedOptions, EmbeddedServer, type EmbeddedStatus } from './server.js';
