export { type Caveat, caveatsIn } from './caveat.js';
export {
  type Closing,
  type ClosingSide,
  closeLedger,
  readClosingSide,
  syncLedgerFindings,
} from './close.js';

export { type ClosedLedger, readChanges, readClosed, type ScopeChanges } from './closed/store.js';
export type { ExportedFile, LedgerExport } from './export/export.js';
export {
  countInventory,
  type InventoryCount,
} from './inventory/count.js';
export type {
  Difference,
  GoneRows,
  GroupName,
  Ledger,
  ScopeLedger,
  ScopeTerms,
} from './ledger.js';
export { type CurrentTerms, Ledgers, type OwnerLedger, type ShownLedger } from './ledgers.js';
export { ledgerModule } from './module.js';
export type { EstateMap, MappedGroup, OwnedTerms, TermNumbers } from './row/owned.js';
export { readFailedUnits, readTerms, type Term, termOf } from './row/terms.js';
export type { UnitFilter, UnitLine, UnitPage } from './row/units.js';
