// Owns the catalogue of signals: six streams in one domain, and the types that GCOS registers at init, all
// inactive. An operator adds further types with `gcos event register`.

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const STREAMS = [
  'governance.handoff',
  'governance.backfill',
  'governance.input',
  'governance.candidate',
  'governance.coverage',
  'governance.lifecycle',
] as const;
export type Stream = (typeof STREAMS)[number];

export interface SignalType {
  readonly type: string;
  readonly stream: Stream;
  readonly severity: Severity;
  readonly description: string;
  /** A sign of life: delivered like any other signal, but not written to the audit channel. */
  readonly heartbeat: boolean;
}

/** Lines of `type severity description`; a `~` before the type marks a heartbeat. */
function types(stream: Stream, lines: string): SignalType[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const match = /^(~?)(\S+) (critical|high|medium|low) (.+)$/.exec(line);
      if (match === null) throw new Error(`unreadable line in the catalogue of signals: ${line}`);
      const [, mark, type = '', severity, description = ''] = match;
      return { type, stream, severity: severity as Severity, description, heartbeat: mark === '~' };
    });
}

export const signalTypes: readonly SignalType[] = [
  ...types(
    'governance.handoff',
    `
    handoff.object_born low an object was born
    handoff.object_registered low an object entered a member registry
    handoff.collection_changed medium the decision about a collection changed
    handoff.count_changed low the size of an inventory group changed
    handoff.object_retired low an object reached the end of its life
    handoff.source_changed medium a source changed in an unmapped manner
    handoff.axis_introduced medium an axis came into use
    handoff.policy_changed medium a policy changed
    handoff.authority_changed medium an authority or an owner changed
    handoff.ruleset_changed medium the rules in force changed
    ~handoff.heartbeat low the intake is alive
    handoff.lag high the intake is behind its sources
    handoff.dlq high a change could not be taken in and was set aside
    handoff.silent_gap critical the intake has stopped, or works without progress
    handoff.unregistered_type high a change of an unregistered type was held
    cursor.lag high a worker is behind its source
    cursor.dlq high a worker set an item aside after repeated failures
    cursor.silent_gap critical a worker has stopped, or ticks without progress
    cursor.lease_conflict high two workers claimed one source
    webhook.failing high a webhook could not be delivered for more than an hour
    webhook.disabled high the receiver of a webhook is gone
    cursor.watermark_regression critical a worker tried to move a watermark backwards`,
  ),
  ...types(
    'governance.backfill',
    `
    backfill.inventory_gap high a born object cannot be placed in the inventory
    backfill.batch_failed high a batch of the backfill failed
    backfill.incomplete high the backfill ended or died without closing its ledger
    backfill.dlq_overflow critical too many objects were set aside
    ~backfill.sweep_completed low a sweep has ended`,
  ),
  ...types(
    'governance.input',
    `
    input.incomplete medium an input lacks what its contract requires
    input.invalid_schema high an input does not have the form of its contract
    input.duplicate low an input repeats another
    input.conflict high inputs contradict each other
    input.stale medium an input is older than what is known
    input.untrusted_source high an input comes from an untrusted source
    input.quarantined high an input was put into quarantine`,
  ),
  ...types(
    'governance.candidate',
    `
    candidate.stale medium verdicts have expired
    candidate.unknown high required coverage has no verdict
    candidate.tampered critical a full scan contradicts valid verdicts that no change of the host explains
    candidate.scan_lag high scans are behind the marked groups
    candidate.group_invalidation_storm high more groups were marked at once than is plausible
    ~candidate.scan_completed low a scan has ended
    audit.overdue high no ledger was closed for too long
    source.failed high a source of a home could not be read
    snapshot.capture_failed high a snapshot could not be taken
    snapshot.nondeterministic critical two readings of one inventory differ
    snapshot.ref_dangling high a verdict refers to a snapshot that no longer exists
    ruleset.unowned high rules are in force that have no owner
    ruleset.drift high the rules in force are not those that were approved`,
  ),
  ...types(
    'governance.coverage',
    `
    coverage.orphan high an object lacks a required link
    owner.gap high an object has no accountable owner
    coverage.anarchic_object critical an orphan can change truth, execution, classification or routing
    owner.conflict critical more than one owner is accountable
    island.detected high a cluster governs itself outside the registry
    approval_path.gap critical an object that changes other objects has no approval path
    audit.gap high a required audit link is missing
    rollback.gap critical a required rollback path is missing
    dot_authority.gap critical a tool executes without authority
    axis.unregistered medium a dimension is in use that no axis declares
    axis.owner_gap medium an axis has no owner
    classification_policy.unowned high classification rules are in force that have no owner
    exception.unratified high an exception is used without approval
    exception.expired high an exception has expired
    law_reference.gap low a required reference to law or design is missing
    schema.drift critical the ledger of a scope does not close
    issue_event.gap high a signal was held because its type is not registered and active
    phantom.gap high governance refers to an object that the inventory does not contain
    direct_write.bypass critical a governed row changed outside its declared path
    delegation.expired high a delegated owner is past its end
    measurement.violated medium the two sides of a detector disagree
    measurement.not_run medium a detector could not be run
    ~coverage.scan_completed low a coverage scan has ended
    ~coverage.audit_completed low a full audit has ended
    ~coverage.summary low many findings of one kind, as one count`,
  ),
  ...types(
    'governance.lifecycle',
    `
    owner.assigned low an owner was assigned
    owner.revoked medium an owner was revoked
    exception.granted medium an exception was granted
    exception.revoked medium an exception was revoked
    exception.lapsed medium an exception reached its end
    authority.delegated medium an authority was delegated
    authority.revoked medium an authority was revoked
    authority.expired medium an authority reached its end
    axis.owner_assigned low an axis got an owner
    axis.owner_revoked medium an axis lost its owner
    finding.resolved low a finding was resolved
    ruleset.activated medium a ruleset came into force
    gate.break_glass critical a person passed the gate with break-glass`,
  ),
];

const byName = new Map(signalTypes.map((each) => [each.type, each]));

/** GCOS's own definition of `type`; undefined for types that an operator added. */
export function knownType(type: string): SignalType | undefined {
  return byName.get(type);
}
