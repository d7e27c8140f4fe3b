export { listingQuery } from './detector-query.js';
export { type KitDocument, type KitOverrides, kitErrors, kitOverrides } from './document.js';
export { type ChosenKit, kit, kitHash, kitList, withOverrides } from './kit.js';
export { kitModule } from './module.js';
export { type KitChange, kitSettings, writeKit } from './rows.js';
