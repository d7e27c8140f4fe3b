export { readContract } from './contract.js';
export type { LinkPattern } from './pattern.js';
export { CONFLICTS, type LinkPlaces, placeLinks, withPlaces } from './place.js';
