// Owns the summary views: what people ask for, as tables of a few rows that anything which speaks SQL can show.
export { viewModule } from './module.js';
