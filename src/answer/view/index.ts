// Owns the summary views: small tables that any SQL client can display.
export { viewModule } from './module.js';
