export {
  type CloseOptions,
  type Closing,
  type ClosingSide,
  closeLedger,
  readClosingSide,
  SCHEMA_DRIFT,
  settleLedger,
} from './close.js';
export type { LedgerDocument } from './closed/document.js';
export { type ClosedLedger, readChanges, readClosed, type ScopeChanges } from './closed/store.js';
export { type ExportedFile, exportLedger, type LedgerExport } from './export/export.js';
export {
  type CountOptions,
  countInventory,
  type GroupCount,
  type InventoryCount,
} from './inventory/count.js';
export {
  computeLedger,
  type Difference,
  type GoneRows,
  type GroupName,
  type Ledger,
  type LedgerOptions,
  type ScopeLedger,
  type ScopeTerms,
} from './ledger.js';
export { Ledgers, type OwnerLedger, type ShownLedger } from './ledgers.js';
export { ledgerModule } from './module.js';
export { readFailedUnits, readTerms, type Term, type TermCount, termOf } from './row/terms.js';
