export { countingQuery, listingQuery } from './detector-query.js';
export type { KitOverrides } from './document.js';
export { kit, kitHash, withOverrides } from './kit.js';
export { kitModule } from './module.js';
export { kitSettings, writeKit } from './rows.js';
