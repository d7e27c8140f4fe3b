export { readContract } from './contract.js';
export { linkModule, readPlaces, sourceLinks } from './module.js';
export type { LinkPattern } from './pattern.js';
export { CONFLICTS, type LinkPlaces, placeLinks, placesOf, withPlaces } from './place.js';
