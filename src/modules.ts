// Owns the list of modules, in the order of their layers, and the migrations and errors derived from it.
import { readFileSync } from 'node:fs';
import { breakGlassModule } from './answer/break-glass/index.js';
import { configurationModule } from './answer/configuration/index.js';
import { estateModule } from './answer/estate/index.js';
import { explainModule } from './answer/explain/index.js';
import { fixModule } from './answer/fix/index.js';
import { gateModule } from './answer/gate/index.js';
import { objectModule } from './answer/object/index.js';
import { planModule } from './answer/plan/index.js';
import { viewModule } from './answer/view/index.js';
import { dbModule, type Migration, type Module, type Setting, settingRowsSql } from './db/index.js';
import { auditModule, hostModule } from './host/index.js';
import { groupModule } from './inventory/group/index.js';
import { snapshotModule } from './inventory/snapshot/index.js';
import { tailModule } from './inventory/tail/index.js';
import { canonicalErrors, configErrors, type ErrorKinds, valueErrors, yamlErrors } from './kernel/index.js';
import { approvalModule } from './record/approval/index.js';
import { cursorModule } from './record/cursor/index.js';
import { eventModule } from './record/event/index.js';
import { feedModule } from './record/feed/index.js';
import { findingModule } from './record/finding/index.js';
import { identityModule } from './record/identity/index.js';
import { logModule } from './record/log/index.js';
import { onceModule } from './record/once/index.js';
import { exceptionModule } from './rule/exception/index.js';
import { rulesetModule } from './rule/ruleset/index.js';
import { kitModule } from './source/kit/index.js';
import { linkModule } from './source/link/index.js';
import { sourceModule } from './source/object/index.js';
import { candidateModule } from './verdict/candidate/index.js';
import { inputModule } from './verdict/input/index.js';
import { ledgerModule } from './verdict/ledger/index.js';
import { backfillModule } from './work/backfill/index.js';
import { closingModule } from './work/closing/index.js';
import { intakeModule } from './work/intake/index.js';
import { orderModule } from './work/order/index.js';
import { relayModule } from './work/relay/index.js';
import { scanModule } from './work/scan/index.js';
import { workerModule } from './work/worker/index.js';

/** The folder of the package; src/ and dist/ are both directly in it. */
export const packageRoot: URL = new URL('../', import.meta.url);

/** Version of the package, as in package.json. */
export const version: string = (
  JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as { version: string }
).version;

export const modules: readonly Module[] = [
  dbModule,
  hostModule,
  auditModule,
  sourceModule,
  kitModule,
  linkModule,
  findingModule,
  approvalModule,
  cursorModule,
  eventModule,
  logModule,
  identityModule,
  onceModule,
  feedModule,
  groupModule,
  snapshotModule,
  tailModule,
  rulesetModule,
  exceptionModule,
  inputModule,
  candidateModule,
  ledgerModule,
  closingModule,
  backfillModule,
  intakeModule,
  scanModule,
  orderModule,
  relayModule,
  workerModule,
  explainModule,
  objectModule,
  fixModule,
  gateModule,
  breakGlassModule,
  planModule,
  configurationModule,
  estateModule,
  viewModule,
];

/** Every setting, by key. */
export const settings: readonly Setting[] = modules
  .flatMap((module) => module.settings ?? [])
  .sort((left, right) => (left.key < right.key ? -1 : 1));

/** The schema of GCOS, in migration order. */
export const migrations: readonly Migration[] = modules
  .flatMap((module) => module.migration ?? [])
  .sort((left, right) => left.id - right.id)
  // The first migration creates the table of settings; their rows come with it, before anything reads one.
  .map((each, index) => (index === 0 ? { ...each, up: `${each.up}\n${settingRowsSql(settings)}` } : each));

/** Every error of the library, for the reference. */
export const errorKinds: ErrorKinds = Object.assign(
  {},
  ...[
    canonicalErrors,
    configErrors,
    valueErrors,
    yamlErrors,
    ...modules.flatMap((module) => module.errors ?? []),
  ].map((family) => family.kinds),
);
