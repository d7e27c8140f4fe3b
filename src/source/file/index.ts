export { fileKind } from './file.js';
