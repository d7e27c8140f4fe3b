export { Credentials, PERMISSIONS, type Permission, type Presented } from './credential.js';
export { identityModule } from './module.js';
export { People, type PersonChange, type PersonLine } from './people.js';
export { type CreatedToken, type TokenLine, type TokenOptions, type TokenPage, Tokens } from './tokens.js';
