export { openDirectusSource } from './directus-source.js';
export { directusKind } from './kind.js';
export { noteStatement } from './note-statement.js';
