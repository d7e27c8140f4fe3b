export { annotationsOf } from './annotations.js';
export { resultsOfExceptions, resultsOfFindings, resultsOfFixes } from './findings.js';
export { resultsOfCheck } from './gate.js';
export { junitOf } from './junit.js';
export { fingerprintOf, type Report, type ReportResult } from './report.js';
export { sarifOf } from './sarif.js';
