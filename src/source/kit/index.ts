export { countingQuery, listingQuery } from './detector-query.js';
export { type KitOverrides, kitOverrides } from './document.js';
export { type ChosenKit, kit, kitHash, withOverrides } from './kit.js';
export { kitModule, kitSetting } from './module.js';
export { detectorRows, kitSettings, profileRows, writeKit } from './rows.js';
