// The public API: `openGcos`, its configuration, and all types it returns.
export type {
  BreakGlass,
  Pass,
  PassOptions,
  PassRequest,
  PassStatus,
  PassSubject,
  RequestedPass,
} from './answer/break-glass/index.js';
export type {
  ExplainedException,
  ExplainedGroup,
  ExplainedLink,
  Explanation,
  Explanations,
  ScopeExplanation,
} from './answer/explain/index.js';
export type { Fix, Fixes, FixFilter, FixPage, ProposedRemediation } from './answer/fix/index.js';

export type {
  Action,
  CheckLine,
  FullQuestion,
  GateAnswer,
  GateCheck,
  GateDecision,
  GateEvidence,
  GateFix,
  GateMode,
  GateOptions,
  GateQuestion,
  GateReason,
  GateSubject,
  Gates,
  PastCheck,
  PastDecision,
  Stage,
} from './answer/gate/index.js';
export {
  ACTIONS,
  completeQuestions,
  DEADLINE_MS,
  DEFAULT_ACTION,
  DEFAULT_STAGE,
  parseManifest,
  STAGES,
  undecided,
  withinDeadline,
} from './answer/gate/index.js';
export type {
  FindingFlip,
  Flips,
  GateFlip,
  Plan,
  Plans,
  Proposal,
  TermFlip,
  UnitFlip,
} from './answer/plan/index.js';
export type { Answer, Status } from './answer/status.js';
export type { InstallOptions, InstallResult, SchemaFiles, UninstallOptions } from './db/index.js';
export type { DoctorLine, DoctorReport } from './host/index.js';
export type {
  Captured as CapturedSnapshot,
  Drift,
  GroupDrift,
  Pruned as PrunedSnapshots,
  Snapshot,
  SnapshotKind,
  SnapshotLine,
  SnapshotPage,
  Snapshots,
  SnapshotVerification,
} from './inventory/snapshot/index.js';
export { type Config, GcosError, loadConfig } from './kernel/index.js';
export { errorKinds, migrations, version } from './modules.js';
export type {
  ApprovalRequest,
  Decision,
  RequestDetail,
  RequestOptions,
  Requests,
} from './record/approval/index.js';
export type {
  DeadLetter,
  DeadLetterDetail,
  DeadLetterPage,
  DeadLetters,
  PauseState,
  Workers,
} from './record/cursor/index.js';
export type {
  Delivery,
  Emission,
  Events,
  HeldSignal,
  Inbox,
  Promotion,
  RegisteredType,
  Signal,
  Subscription,
  SubscriptionChoice,
  SubscriptionRequest,
} from './record/event/index.js';
export type { Finding, FindingFilter, FindingLine, FindingPage, Findings } from './record/finding/index.js';
export type {
  Exception,
  ExceptionDetail,
  ExceptionFilter,
  ExceptionOptions,
  ExceptionRequest,
  ExceptionStatus,
  ExceptionSubject,
  Exceptions,
  ExceptionTerms,
  RequestedException,
} from './rule/exception/index.js';
export type {
  Draft as RulesetDraft,
  Drift as RulesetDrift,
  RuleChange,
  Ruleset,
  RulesetDetail,
  RulesetDiff,
  RulesetPage,
  Rulesets,
  Verification as RulesetVerification,
} from './rule/ruleset/index.js';
export { Gcos, type OpenOptions, openGcos } from './verbs.js';
export type {
  InputAct,
  InputFilter,
  InputLine,
  InputPage,
  InputState,
  Inputs,
  TrustDecision,
  TrustLine,
} from './verdict/input/index.js';
export type {
  Difference as LedgerDifference,
  Ledger,
  LedgerExport,
  Ledgers,
  OwnerLedger,
  ScopeChanges,
  ScopeLedger,
  ScopeTerms,
  ShownLedger,
} from './verdict/ledger/index.js';

export type {
  BackfillOptions,
  BackfillProgress,
  BackfillReport,
  BackfillStatus,
  Backfills,
} from './work/backfill/index.js';
export type { Proof } from './work/closing/index.js';
export type { IntakeRound, IntakeRun, IntakeStatus, Intakes, Replay } from './work/intake/index.js';
export type { ScanOptions, ScanProgress, ScanReport, ScanStatus, Scans } from './work/scan/index.js';
export type {
  DutyName,
  DutyState,
  Gauges,
  Log,
  WorkerProcess,
  WorkerRunOptions,
} from './work/worker/index.js';
export { DEFAULT_PORT, DUTIES, makeLog } from './work/worker/index.js';
