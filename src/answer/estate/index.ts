export { Estates } from './estates.js';
export type { EstateFlaw } from './flaw.js';
export type { EstateGap, EstateLack } from './gap.js';
export { estateModule } from './module.js';
export type { EstateReport, EstateUnit } from './report.js';
export type { ProvidedRules } from './rules.js';
