// One entry for each function that a login may call: what it does, and what it derives in the database
// instead of taking it from the caller. docs/reference/functions.md is made of it and of the catalog of the
// server. A function that is granted without an entry fails a test, and so does an argument that looks like a
// fact (a time, a risk, a hash, closed words …) without a reason in `facts`.

export interface FunctionEntry {
  readonly does: string;
  /** What it takes from the server, and not from the caller. */
  readonly derives: string;
  /** Arguments that look like facts, and why the caller may give them. */
  readonly facts?: Readonly<Record<string, string>>;
}

const PERSON = 'the person and its approver type (session_user, or the presented token), the time';
const NOTHING = 'nothing: a pure calculation on its arguments';
const HISTORY = 'which rows are old enough: the setting history.keep, the time';
const LEASE = 'that the worker still holds the lease with this fence; the time';
const asOf = { as_of: 'a question about another time; it records nothing' };

export const functionCatalogue: Readonly<Record<string, FunctionEntry>> = {
  // Identity and approvals
  gcos_actor: {
    does: 'the acting person; p_as only for logins that may act for others; p_permission: what a presented token must permit',
    derives:
      'the login (session_user) or the presented token, the person, and that the statement of the client itself made the call',
  },
  gcos_present: {
    does: 'presents a token for this transaction; p_scope and p_owner say what it reads',
    derives:
      'the token by its hash, its person, permissions, limits and expiry, the time; signs what holds, for this transaction only',
  },
  gcos_create_token: {
    does: 'creates a token, and returns it once',
    derives: `${PERSON}; the secret; who may create it, and how long it may last`,
  },
  gcos_revoke_token: {
    does: 'revokes a token, at once and for good',
    derives: `${PERSON}; whose token it is`,
  },
  gcos_sign_in: {
    does: 'opens a session of level oidc for the person of an ID token; only the login of the server calls it',
    derives:
      'issuer and subject, from the ID token; the person, from the mapping; the time; permissions and end, from the setting sign_in.session; that the token, and its nonce, are used once',
  },
  gcos_map_identity: {
    does: 'says whose a subject of a provider is',
    derives:
      'that the login may write governance_actor, and the statement of the client itself made the call',
  },
  gcos_erase_person: {
    does: 'erases what identifies a person',
    derives:
      'that the login may write governance_actor, and the statement of the client itself made the call; what belongs to the person',
  },
  gcos_forget_recipient: {
    does: 'deletes the notifications of an erased person',
    derives: 'that the person was erased',
  },
  gcos_prune_sign_ins: { does: 'deletes old sign-ins with their ID tokens', derives: HISTORY },
  gcos_create_link: {
    does: 'makes a link that opens one browser session, once, within ten minutes',
    derives: `${PERSON}; whose token it is, and that no token makes it; the secret`,
  },
  gcos_open_session: {
    does: 'opens a browser session with a token or an unused link',
    derives:
      'the token by the hash of what is presented, that it is in force and may read; the secret and the end',
  },
  gcos_close_session: {
    does: 'ends the session of a secret, or all sessions of its person',
    derives: 'the session by the hash of its secret, and its person',
  },
  gcos_whoami: {
    does: 'whom the transaction acts for',
    derives: 'the identity that the transaction presented',
  },
  gcos_visible_tokens: {
    does: 'the tokens, without their secrets, that this transaction may see',
    derives: 'the presented token, its person, and whether it may operate',
  },
  gcos_look_act: {
    does: 'what is known of an act that named a key',
    derives: 'whose key it is (session_user, or the presented token), the time',
  },
  gcos_begin_act: {
    does: 'marks a transaction as part of an act that names a key',
    derives: 'whose key it is, the time; that no other attempt was first',
  },
  gcos_finish_act: {
    does: 'stores the answer of an act, for its repeats',
    derives: 'whose key it is, and that this attempt has no answer yet; the time',
    facts: { p_status: 'the status that the client was answered; only the same client ever reads it' },
  },
  gcos_write_person: {
    does: 'adds a person, or changes the login or kind of approver of one',
    derives:
      'that the login may write governance_actor, and the statement of the client itself made the call',
  },
  gcos_open_request: { does: 'opens a request', derives: `${PERSON}, the number, the risk` },
  gcos_decide: {
    does: 'approves or rejects a request',
    derives: `${PERSON}, the quorum, the status`,
  },
  gcos_withdraw_request: { does: 'withdraws a request of the same person', derives: PERSON },
  gcos_action_risk: {
    does: 'the risk of an action',
    derives: 'the stricter of the host’s row and the rules in force',
  },
  gcos_takes_two_logins: { does: 'whether an action takes two logins', derives: 'the rules in force' },
  gcos_request_decisions: {
    does: 'the decisions on requests',
    derives: 'which count: both sides must agree',
  },
  gcos_request_status: {
    does: 'the status of requests',
    derives: 'status and missing votes, from the witnessed votes',
  },
  gcos_request_approved_at: {
    does: 'when requests were approved',
    derives: 'the time of the vote that completed the quorum',
  },

  // Sources
  gcos_sources: {
    does: 'the sources of a home, and how many objects each lists',
    derives: 'all of it; nothing where there is no home',
  },
  gcos_due_sources: {
    does: 'the sources whose turn it is',
    derives: 'when each was last read or tried, the time',
  },
  gcos_source_of: {
    does: 'which source lists a collection, and as of when it was read',
    derives: 'the beginning of the last complete sync',
  },
  gcos_add_source: {
    does: 'adds a source to a home',
    derives: 'that the host is a home, the login, the time',
  },
  gcos_change_source: {
    does: 'gives a source another configuration',
    derives: 'that the host is a home, the login, the time; what was read before is not watched any more',
  },
  gcos_fail_source: {
    does: 'records that a source could not be read',
    derives: 'the time, and how often since the last complete sync; what was read before stays',
  },
  gcos_begin_sync: {
    does: 'locks a source and creates the table for what is read',
    derives: 'that the host is a home, that no other sync of the source runs, the time',
  },
  gcos_finish_sync: {
    does: 'writes what differs from the last sync',
    derives:
      'fingerprints, what changed, is gone or renamed, births, tombstones, rows of ownership, audit rows, the time; only the content of the estate is the caller’s',
  },
  gcos_remove_source: {
    does: 'removes a source of a home: what it listed is gone',
    derives: 'that the host is a home, what it listed, the time',
  },

  // Rules
  gcos_draft_ruleset: {
    does: 'stores the rules in the tables as a version',
    derives: 'the content, its canonical form, hash and owner',
  },
  gcos_activate_ruleset: {
    does: 'puts an approved version into force',
    derives: `${PERSON}; that the approval is for this version and plan, unused; content, reach and what becomes dirty`,
  },
  gcos_continue_activation: {
    does: 'carries further verdicts for the activation that the transaction has begun',
    derives: 'everything: the activation, its reach, and how far it has come',
  },
  gcos_manage: {
    does: 'marks rows as managed by gcos.yaml',
    derives: `${PERSON}; what the rows contain`,
  },
  gcos_managed_content: { does: 'what gcos.yaml can manage', derives: 'the rows as they are' },
  gcos_ruleset_owner: { does: 'the body that owns rulesets', derives: 'from the host’s bodies' },
  gcos_rule_setting: { does: 'a setting in force', derives: 'the stored bytes of the active version' },
  gcos_plain_value: { does: 'a stored value as text', derives: NOTHING },
  gcos_gate_rules: { does: 'the rules of the gate in force', derives: 'the active version' },
  gcos_gate_rules_of: { does: 'the rules of the gate of one version', derives: 'its stored rows' },

  // The gate and break glass
  gcos_gate_check: {
    does: 'answers and records what may go to production',
    derives:
      'the time, verdicts, findings, risk, rules, passes, whether the host is watched, and until when the evidence holds',
    facts: {
      p_claimed_types: 'a claim of the caller about who asks; it is recorded as such, and never decides',
      p_claimed_ids: 'a claim of the caller about who asks; it is recorded as such, and never decides',
    },
  },
  gcos_gate_as_of: {
    does: 'what the gate would answer at another time',
    derives: 'everything but the time',
    facts: { p_at: 'the question is about that time; the answer is never recorded' },
  },
  gcos_gate_answer: { does: 'the answer for reasons', derives: NOTHING },
  gcos_gate_codes: {
    does: 'the reasons of one row',
    derives: NOTHING,
    facts: {
      p_risk: 'a pure calculation; what decides passes the risk that it read',
      p_ruleset: 'a pure calculation; what decides passes the status that it read',
    },
  },
  gcos_gate_high_risk: {
    does: 'whether a risk class or action is high risk',
    derives: NOTHING,
    facts: { p_risk: 'a pure calculation; what decides passes the risk that it read' },
  },
  gcos_gate_unwatched: {
    does: 'whether the host is watched too long ago',
    derives: NOTHING,
    facts: {
      p_watched: 'a pure calculation; what decides passes what it read',
      p_at: 'a pure calculation; what decides passes gcos_now()',
    },
  },
  gcos_gate_prunable: {
    does: 'which gate answers could be pruned',
    derives: 'which ranges are sealed and old enough',
    facts: { p_before: 'an upper limit; the minimum age holds in any case' },
  },
  gcos_open_break_glass: {
    does: 'opens an approved pass',
    derives: `${PERSON}; the approval, unused and for these terms; the container; the end`,
  },
  gcos_close_break_glass: { does: 'ends a pass now', derives: PERSON },
  gcos_sync_break_glass: {
    does: 'records passes that were opened or have ended',
    derives: 'the time, the passes',
  },
  governance_break_glass_status: { does: 'the passes and their state', derives: 'the state', facts: asOf },
  governance_break_glass_in_force: { does: 'the passes in force', derives: 'the state', facts: asOf },
  gcos_seal_gate: {
    does: 'seals recorded answers of the gate',
    derives: 'the range, the hashes',
  },

  // History
  gcos_history_bound: {
    does: 'up to when history may be pruned',
    derives: 'the setting history.keep, the time',
  },
  gcos_prune_runs: { does: 'prunes ended scans of the backlog', derives: HISTORY },
  gcos_prune_retries: { does: 'prunes completed retries', derives: HISTORY },
  gcos_prune_held: { does: 'gives up held signals that only say that something ran', derives: HISTORY },
  gcos_prune_deliveries: {
    does: 'prunes notifications that were read or escalated, and dedupe keys',
    derives: HISTORY,
  },
  gcos_prune_decisions: {
    does: 'prunes sealed decisions of the gate, in whole ranges, and records them',
    derives: `${HISTORY}, and the setting prune.minimum_age`,
  },

  // Exceptions
  gcos_grant_exceptions: {
    does: 'writes the exceptions that one request lists, for 90 days at most',
    derives:
      'the person, the time, all terms and the reason from the request, and that each subject is as it was when the request was opened',
  },
  gcos_grant_exception: {
    does: 'grants an approved exception',
    derives: `${PERSON}; the approval, unused and for these terms; the fingerprint of what it is about`,
    facts: { p_expires_at: 'a term of the request: it must equal what was approved' },
  },
  gcos_revoke_exception: { does: 'revokes an exception now', derives: PERSON },
  gcos_apply_exception_changes: {
    does: 'announces exceptions that began or ended',
    derives: 'the time, the state',
  },
  gcos_exception_fingerprint: {
    does: 'the fingerprint of what an exception is about',
    derives: 'the current facts',
  },
  gcos_exception_is_about: { does: 'whether an exception is about a unit', derives: NOTHING },
  gcos_exception_requests: { does: 'requests for exceptions', derives: 'their approval', facts: asOf },
  gcos_exception_state: {
    does: 'the state of exceptions',
    derives: 'approval, expiry, fingerprint',
    facts: asOf,
  },
  gcos_exceptions_in: {
    does: 'the terms of all exceptions that a request is about',
    derives: 'nothing: it reads the action that it is given',
  },
  gcos_exception_terms: {
    does: 'the terms of an exception as a request names them',
    derives: NOTHING,
    facts: { p_expires_at: 'a term', p_fingerprint: 'a term: compared with what was approved' },
  },
  gcos_exception_fingerprints: {
    does: 'the fingerprints of what exceptions are about',
    derives: 'the current facts',
  },
  gcos_exception_risks: {
    does: 'which of these terms are about anything of risk write_high',
    derives: 'the risk of each subject',
  },
  gcos_exception_units: { does: 'the units of exceptions', derives: 'from the inventory' },
  governance_exception_status: { does: 'the exceptions and their state', derives: 'the state', facts: asOf },
  governance_exception_in_force: { does: 'the exceptions in force', derives: 'the state', facts: asOf },
  governance_exception_effect: { does: 'what exceptions accept', derives: 'from the verdicts', facts: asOf },

  // Input
  gcos_input_quarantine: { does: 'sets objects aside', derives: PERSON },
  gcos_input_release: { does: 'releases objects', derives: PERSON },
  gcos_input_trust: { does: 'says how far a source is trusted', derives: PERSON },

  // Pause, signals and the inbox
  gcos_pause: {
    does: 'whether workers are paused, by whom and why',
    derives: 'the recorded pause',
  },
  gcos_set_setting: {
    does: 'changes a setting',
    derives: `${PERSON}; who may change it, and whether a ruleset is in force`,
  },
  gcos_set_paused: { does: 'pauses or resumes all workers', derives: PERSON },
  gcos_order_work: { does: 'orders a scan or a sync from the workers', derives: PERSON },
  gcos_subscribe: {
    does: 'subscribes the person to signals',
    derives: `${PERSON}, the host’s word for the stream`,
    facts: { p_stream: 'a choice: which signals' },
  },
  gcos_mute: {
    does: 'mutes or ends a subscription of the person',
    derives: `${PERSON}, the host’s word for the stream`,
    facts: { p_stream: 'a choice: which subscriptions' },
  },
  gcos_read: { does: 'marks deliveries of the person as read', derives: PERSON },
  gcos_register_types: {
    does: 'registers signal types of GCOS',
    derives: `${PERSON}, the host’s words`,
    facts: {
      p_stream: 'a term of the new type, audited with the person',
      p_severity: 'a term of the new type, audited with the person',
    },
  },
  gcos_set_types_active: {
    does: 'activates or deactivates signal types',
    derives: PERSON,
  },
  gcos_retry_dead_letters: { does: 'retries dead letters', derives: 'the person, the time' },
  gcos_retry_signals: { does: 'retries held signals', derives: 'the person, the time' },
  gcos_emit: {
    does: 'emits or holds signals',
    derives:
      'the time, the active types with their stream, lane and severity, the host’s words, the recipients',
    facts: {
      p_occurred_at: 'when the worker saw it; the time of the signal is the server’s',
      p_severity: 'who is notified and how soon; no answer of the gate reads a signal',
      p_payload: 'addresses and counts; contents are refused; no answer of the gate reads a signal',
    },
  },
  gcos_promote: {
    does: 'lets held signals leave, in order',
    derives: 'the time, the active types, the host’s words, how often the host may refuse a signal',
    facts: { p_since: 'a position of the promoter' },
  },
  gcos_redeliver: { does: 'delivers again what failed', derives: 'the time' },
  gcos_escalate: {
    does: 'escalates what was not read in time',
    derives: 'the time, the deliveries',
  },

  // Leases, cursors, heartbeats and runs of workers
  gcos_take_lease: {
    does: 'takes a free lease',
    derives: 'the time, the next fence',
    facts: { p_ttl: 'ten minutes at most; a thief that holds leases stops work, and the host is unwatched' },
  },
  gcos_renew_lease: {
    does: 'renews a lease',
    derives: LEASE,
    facts: { p_ttl: 'as for gcos_take_lease' },
  },
  gcos_release_lease: { does: 'releases a lease', derives: LEASE },
  gcos_take_lock: {
    does: 'lets one session at a time do something, until its transaction ends',
    derives: 'the lock’s row',
  },
  gcos_lease_is_held: {
    does: 'whether a lease is held',
    derives: 'the time',
    facts: { p_expires_at: 'a pure calculation on a row' },
  },
  gcos_advance_cursor: { does: 'moves a cursor forward', derives: LEASE },
  gcos_reset_cursor: {
    does: 'moves a cursor back, for a replay',
    derives: `${LEASE}; the person`,
  },
  gcos_note_regression: { does: 'notes that a source went back', derives: LEASE },
  gcos_note_watched: { does: 'notes that the host was watched', derives: `${LEASE}; the begin of the round` },
  gcos_request_round: { does: 'asks the intake for a wide round', derives: 'nothing: it only grows' },
  gcos_pulse: {
    does: 'what the duties of an idle worker wait for',
    derives: 'all of it; the argument only spares what cannot have changed',
  },
  gcos_feed_pulse: {
    does: 'the last number of the feed, and whether an entry waits for one',
    derives: 'all of it',
  },
  gcos_number_feed: {
    does: 'gives numbers to the entries of the feed that have none, at most p_limit',
    derives:
      'which entries, from what each transaction can see, and their numbers; the entries, from the log',
  },
  gcos_prune_feed: { does: 'deletes old numbers of the feed and their entries', derives: HISTORY },
  gcos_add_webhook: {
    does: 'adds a webhook',
    derives: `${PERSON}, from which number of the feed on`,
  },
  gcos_rotate_webhook: {
    does: 'gives a webhook another place of its secret',
    derives: `${PERSON}, until when the former one signs`,
  },
  gcos_remove_webhook: { does: 'removes a webhook and its dead letters', derives: PERSON },
  gcos_webhook_sent: {
    does: 'records what a webhook has received',
    derives: 'the time; the number only grows',
  },
  gcos_webhook_failed: {
    does: 'records that a receiver did not accept a message',
    derives: 'since when, and when the next attempt is due',
  },
  gcos_webhook_give_up: {
    does: 'makes dead letters of what waits for a failing webhook',
    derives: 'what is older than three days, and the entries themselves',
  },
  gcos_watched_at: { does: 'since when the host counts as watched', derives: 'the recorded rounds' },
  gcos_complete_retries: { does: 'completes retries', derives: LEASE },
  gcos_record_failures: {
    does: 'records failures and their next attempt',
    derives: `${LEASE}; the number of attempts and their delays`,
  },
  gcos_tick: {
    does: 'a heartbeat of a worker',
    derives: 'the time',
    facts: {
      p_status:
        'about the worker itself; no answer relies on a good one: the rounds say since when the host is watched',
    },
  },
  gcos_end_heartbeat: { does: 'ends the heartbeat of a dead worker', derives: 'the time' },
  gcos_begin_run: { does: 'begins the record of a run', derives: 'the time' },
  gcos_write_run: {
    does: 'writes the record of an open run',
    derives: 'the time; a closed record stays as it is',
    facts: {
      p_status: 'the worker closes runs; `gcos ledger verify` recounts what they say',
      p_proof: 'as p_status',
      p_ledger: 'as p_status; the log keeps the hash of a closed ledger',
    },
  },
  gcos_end_runs: {
    does: 'ends records of runs that died',
    derives: 'the time, which leases are free',
  },

  // What workers write
  gcos_audit_work: {
    does: 'appends audit rows about work',
    derives: 'the time, the login, the alert level',
  },
  gcos_write_findings: {
    does: 'raises, refreshes and resolves findings of GCOS',
    derives: 'the time, the host’s words for severities and statuses, what is closed, cool-downs',
    facts: {
      p_severity:
        'the worker is trusted with findings; a full scan by another login raises and closes them again',
      p_routes: 'who is notified; the gate names the recipients and asks them nothing',
      p_ruleset: 'which rules the finding was seen under; the worker is trusted with findings',
    },
  },
  gcos_append_snapshot: {
    does: 'appends a snapshot',
    derives: 'the time, the kind',
    facts: { p_metrics: 'the fingerprints that the worker counted; a full scan counts them again' },
  },
  gcos_analyze_candidates: { does: 'refreshes statistics of GCOS’s own tables', derives: 'nothing' },

  // Pruning
  gcos_prune_bound: {
    does: 'how old rows must be to be pruned',
    derives: 'the settings, the time',
  },
  gcos_prune_gate: {
    does: 'prunes old answers of the gate, oldest first',
    derives: 'the minimum age, the sealed ranges, the record',
    facts: { p_before: 'an upper limit; the minimum age holds in any case' },
  },
  gcos_prune_snapshots: {
    does: 'prunes old snapshots that nothing refers to',
    derives: 'the minimum age, what is in use, the record',
  },

  // Questions
  gcos_now: { does: 'the time that decides', derives: 'the clock of the server' },
  gcos_closed_statuses: {
    does: 'which status means that a finding is closed',
    derives: 'the host’s word, the settings',
  },
  gcos_host_word: {
    does: 'the host’s word for a word of GCOS',
    derives: 'the mapping in the settings',
  },
  gcos_match_groups: {
    does: 'the groups that constraints on their dimensions reach',
    derives: 'from the groups and their dimensions',
  },
  gcos_class_map: { does: 'the class of each collection', derives: 'from the host’s registries' },
  gcos_groups_of: { does: 'the group of each object', derives: 'from births and registries' },
  gcos_consulted_objects: {
    does: 'objects that the gate was asked about',
    derives: 'recorded questions',
    facts: asOf,
  },
  gcos_object_reasons: {
    does: 'why objects have rows of their own',
    derives: 'from the inventory',
    facts: asOf,
  },
  gcos_ledger_closed_at: { does: 'when the last ledger was closed', derives: 'the closed runs' },
  gcos_object_key: { does: 'the key of an object', derives: NOTHING },
  gcos_only_moved: { does: 'whether a reason only says that rows moved', derives: NOTHING },
  gcos_spread: { does: 'a number from a key, to spread work', derives: NOTHING },
  gcos_hash_id: { does: 'the hash of an id', derives: NOTHING },
  gcos_fingerprint: { does: 'the text of a fingerprint', derives: NOTHING },
  gcos_validity_reason: {
    does: 'why a verdict is not valid',
    derives: NOTHING,
    facts: { ...asOf, p_stale_after: 'a pure calculation on a row' },
  },
  gcos_log_hash: {
    does: 'the hash of one link of the log',
    derives: NOTHING,
    facts: {
      p_recorded_at: 'a pure calculation, for verification',
      p_previous_hash: 'a pure calculation, for verification',
      p_payload_hash: 'a pure calculation, for verification',
    },
  },
  gcos_log_payload_hash: {
    does: 'the hash of a payload of the log',
    derives: NOTHING,
    facts: { p_payload: 'a pure calculation, for verification' },
  },
  governance_validity: {
    does: 'which verdicts are valid',
    derives: 'from verdicts, snapshots and rules',
    facts: asOf,
  },
  governance_group_verdict: { does: 'the verdict of each group', derives: 'from verdicts', facts: asOf },
  governance_coverage_summary: { does: 'coverage per scope', derives: 'from verdicts', facts: asOf },
  governance_open_finding: { does: 'the open findings', derives: 'from the host’s issues' },
};
