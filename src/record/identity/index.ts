export { Credentials, PERMISSIONS, type Permission, type Presented } from './credential.js';
export { identityModule } from './module.js';
export { People, type PersonChange, type PersonLine, type PersonOptions } from './people.js';
export { type Identity, type OpenedSession, Sessions } from './sessions.js';
export {
  type CreatedToken,
  type TokenActOptions,
  type TokenLine,
  type TokenOptions,
  type TokenPage,
  Tokens,
} from './tokens.js';
