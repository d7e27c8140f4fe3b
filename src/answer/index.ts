export { type Answer, readScale, readStatus, type Status } from './status.js';
