// Generated from docs/reference/openapi.json (npm run docs). Do not edit.
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether this process answers */
        get: operations["get_healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether this process can serve: 503 if not */
        get: operations["get_readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whom the credential of this request acts for */
        get: operations["get_session"];
        put?: never;
        /** Sign a browser in, with a token or with a link that was made for this */
        post: operations["post_session"];
        /** Sign out: here, or everywhere */
        delete: operations["delete_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** In which ways a browser can sign in */
        get: operations["get_session_methods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send the browser to the provider
         * @description Answers 302. The browser keeps a sealed cookie for ten minutes, and must bring it back.
         */
        get: operations["get_session_oidc_start"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Come back from the provider, and get a session
         * @description Answers 302 to the page that the sign-in began with. Each sign-in comes back once.
         */
        get: operations["get_session_oidc_callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The metrics of this process, in the text format of Prometheus */
        get: operations["get_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where everything is, and how much waits at this moment */
        get: operations["get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests for approval, newest first */
        get: operations["get_requests"];
        put?: never;
        /**
         * Open a request for an action of GCOS
         * @description The setting approval.actions lists the actions. Most have an address of their own that also makes the proposed action.
         */
        post: operations["post_requests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is every object accounted for, is that still true, may it go to production? */
        get: operations["get_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where every object went: the last closed ledger, and the terms now with their units */
        get: operations["get_ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/units": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The units behind the ledger, by scope, term and cause */
        get: operations["get_units"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/map": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The inventory groups with the most members, with their units in one scope by owner */
        get: operations["get_map"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The units of each owner in every scope, by term */
        get: operations["get_owners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every birth, with its class, group and owners */
        get: operations["get_objects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Inventory groups: objects that share class, collection, axis family and lifecycle status */
        get: operations["get_groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One inventory group, with the counts of its members and units */
        get: operations["get_groups_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{key}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why the verdicts of a group are what they are, with their history */
        get: operations["get_groups_key_explanation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every collection with births, and how many */
        get: operations["get_collections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/objects/{collection}/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why the verdicts of an object are what they are */
        get: operations["get_objects_collection_code"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/objects/{collection}/{code}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every change of the verdicts of an object, or of the group that represents it */
        get: operations["get_objects_collection_code_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open findings, most severe first */
        get: operations["get_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/findings/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open findings, counted by severity and by type */
        get: operations["get_findings_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/findings/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One finding, with its evidence */
        get: operations["get_findings_code"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fixes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What would close the most gaps, and who can do it */
        get: operations["get_fixes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One request with all decisions on it */
        get: operations["get_requests_code"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/{code}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a pending request */
        post: operations["post_requests_code_approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/{code}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a pending request: one rejection is enough */
        post: operations["post_requests_code_reject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/{code}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraw a pending request, as its proposer */
        post: operations["post_requests_code_withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rulesets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Versions of the rules, newest first */
        get: operations["get_rulesets"];
        put?: never;
        /** Store the rules in the tables as a draft, named by its content */
        post: operations["post_rulesets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rulesets/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One version of the rules; `active` is the one in force */
        get: operations["get_rulesets_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rulesets/{version}/diff/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What changed from one version to another; `current` is the rules in the tables */
        get: operations["get_rulesets_version_diff_to"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What activating the rules in the tables would do, with every verdict that would flip
         * @description Reads everything that the change reaches; give it time on a large estate.
         */
        get: operations["get_plan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exceptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gaps that are accepted for a time */
        get: operations["get_exceptions"];
        put?: never;
        /**
         * Request that a gap be accepted for a limited time
         * @description It is in force as soon as its request is approved. `opened` is false if the same terms were requested before.
         */
        post: operations["post_exceptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exceptions/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One exception, with its request */
        get: operations["get_exceptions_code"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rulesets/propose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Draft the rules in the tables, and request approval of exactly this plan */
        post: operations["post_rulesets_propose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rulesets/{version}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Activate a version under its approved request, if the plan is still the approved one */
        post: operations["post_rulesets_version_activate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exceptions/{code}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke an exception: the next scan evaluates its subject again */
        post: operations["post_exceptions_code_revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Backfills and scans, latest first */
        get: operations["get_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One backfill or scan */
        get: operations["get_runs_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Snapshots of the inventory, newest first */
        get: operations["get_snapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The duties of the workers, and as of when the host is watched */
        get: operations["get_workers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items that failed after all attempts */
        get: operations["get_dead_letters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The estates that are read, removed ones included */
        get: operations["get_sources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Settings, with their meaning and who may change them */
        get: operations["get_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Objects that the input gate has not accepted */
        get: operations["get_inputs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inputs/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Objects that the input gate has not accepted, counted by state */
        get: operations["get_inputs_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fixes/{remedy}/propose": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request the remedy of a fix or a finding
         * @description `created` is false if a request for the same remedy is pending.
         */
        post: operations["post_fixes_remedy_propose"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dead-letters/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make dead letters due again at once */
        post: operations["post_dead_letters_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workers/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause all workers: meanwhile the gate blocks high risk */
        post: operations["post_workers_pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workers/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let all workers continue */
        post: operations["post_workers_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a setting, where a person may
         * @description Settings that change verdicts take effect with the next approved ruleset: `needs_approval`.
         */
        put: operations["put_settings_key"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Order a scan: of all that is dirty or expired, or of everything, which closes the ledger
         * @description A worker begins it within half a minute, unless all workers are paused; follow the order.
         */
        post: operations["post_scans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sources/{source}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Order that a source be read
         * @description A worker begins it within half a minute, unless all workers are paused; follow the order. Like any sync of a worker, it fails where too much of the source has gone.
         */
        post: operations["post_sources_source_sync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/work-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Scans and syncs that people ordered, latest first; kept for 30 days */
        get: operations["get_work_orders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/work-orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One order, and what became of it */
        get: operations["get_work_orders_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Types of signals, and whether they are active */
        get: operations["get_events_types"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Signals that are held until their type is active, in their order */
        get: operations["get_events_held"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/inbox/{recipient}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notifications of one recipient, oldest first */
        get: operations["get_inbox_recipient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * API tokens, the newest first
         * @description Those of the person of the credential; all, if its token may operate; a pipeline sees its own.
         */
        get: operations["get_tokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People, by name: by which login they act, and what kind of approver they are */
        get: operations["get_people"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a token of your own: the next request that sends it is refused */
        post: operations["post_tokens_id_revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gate/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * May these objects and groups proceed? One decision each, all in one state of the database, all recorded
         * @description `fresh` waits for the worker, for 25 seconds at most: without an answer by then it is 503.
         */
        post: operations["post_gate_check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gate/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The recorded decisions, the latest first */
        get: operations["get_gate_decisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gate/decisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One recorded decision, with its reasons and its evidence */
        get: operations["get_gate_decisions_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gate/break-glass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Break-glass passes, the latest first */
        get: operations["get_gate_break_glass"];
        put?: never;
        /** Request a pass that turns a block into an allow for minutes; another person must approve it */
        post: operations["post_gate_break_glass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gate/break-glass/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One break-glass pass */
        get: operations["get_gate_break_glass_code"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gate/break-glass/{code}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Close a pass early */
        post: operations["post_gate_break_glass_code_close"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/v1/evaluation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** AuthZEN: one access evaluation */
        post: operations["post_access_v1_evaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/v1/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** AuthZEN: access evaluations, all in one state of the database */
        post: operations["post_access_v1_evaluations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/authzen-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** AuthZEN: where the policy decision point is, and what it can */
        get: operations["get_well_known_authzen_configuration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changes, as server-sent events, numbered in the order in which it became visible
         * @description Continues after Last-Event-ID. Events: `ready` (the number to begin with), a message per entry of the feed, `reset` (what followed is no longer kept: read again what you show), `reconnect` and `ended`. A comment every 15 seconds.
         */
        get: operations["get_stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["get_openapi_json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            /** @example urn:gcos:error:request_closed */
            type: string;
            /** @description when this error occurs */
            title: string;
            status: number;
            /** @description stable; docs/reference/errors.md lists every code */
            code: string;
            detail?: string;
            /** @description what to do */
            help: string;
            /** @description the id of the request, as the header X-Request-ID */
            instance: string;
            errors?: {
                at: string;
                message: string;
            }[];
        };
        Readiness: {
            ready: boolean;
            reason: string | null;
        };
        OpenedSession: {
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            expires_at: string;
        };
        Session: {
            /** @description the person, or the name of the token of a pipeline */
            name: string;
            person: string | null;
            /** @description the kind of approver */
            approver_type: string | null;
            /**
             * @description how it is known who acts
             * @enum {string}
             */
            level: "token" | "oidc";
            /** @description the id of the token or of the sign-in */
            token: string;
            permissions: ("read" | "gate" | "decide" | "operate")[];
            scopes: string[] | null;
            owners: string[] | null;
            /** @description to be sent as X-CSRF-Token with each write of a browser; null: a token was sent, which needs none */
            csrf_token: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            expires_at: string;
        };
        SignInMethods: {
            methods: {
                /** @enum {string} */
                method: "token" | "link" | "oidc";
                /** @description of the provider, for oidc */
                issuer: string | null;
                /** @description where to post the secret, or, for oidc, to send the browser */
                start: string;
            }[];
        };
        Root: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            /** @description every resource that needs no name, at this moment */
            links: {
                resource: string;
                href: string;
            }[];
            /** @description the address of the three answers, which are of the present */
            status: string;
            openapi: string;
            counts: (components["schemas"]["Count"] & {
                what: string;
            })[];
        };
        Count: {
            /** @description how many lines the list has, over all its pages */
            count: number;
            /** @description the list, at the same moment */
            href: string;
        };
        RequestLine: {
            /** @example APR-0061 */
            code: string;
            action: string;
            /** @enum {string} */
            risk: "low" | "medium" | "high";
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "withdrawn" | "foreign" | "altered";
            host_status: string;
            proposer: string;
            proposer_verified: boolean | null;
            /** @enum {string|null} */
            proposer_level: "login" | "oidc" | "token" | "unverified" | null;
            proposed_action?: unknown;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            created_at: string;
            approvals: number;
            rejections: number;
            self_approved: boolean;
            missing: string[];
        };
        Status: {
            /** @enum {string} */
            schema: "absent" | "older" | "current" | "newer" | "altered";
            migration: number | null;
            /**
             * @description estimated from the statistics of the server
             * @example 4711
             */
            births: string | null;
            /** @enum {string} */
            inventory: "present" | "absent";
            workers: {
                paused: boolean;
                pause: components["schemas"]["PauseAct"];
                resume: components["schemas"]["PauseAct"];
            } | null;
            snapshot: {
                /** @example 4711 */
                id: string;
                /**
                 * Format: date-time
                 * @example 2027-01-31T12:00:00.123456Z
                 */
                at: string;
            } | null;
            ruleset: {
                active: string | null;
                self_approved: boolean | null;
                current: string;
                drifted: boolean;
                changes: number;
            } | null;
            exceptions: {
                in_force: number;
                not_needed: string[];
                waiting: number;
            } | null;
            observing: unknown[];
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            watched_at: string | null;
            accounted: components["schemas"]["Answer"];
            current: components["schemas"]["Answer"];
            production: components["schemas"]["Answer"];
        };
        PauseAct: {
            by: string;
            login: string;
            reason: string | null;
            /** Format: date-time */
            at: string;
        } | null;
        Answer: {
            question: string;
            /** @enum {string} */
            answer: "yes" | "no" | "unknown";
            why: string;
        };
        Ledger: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            /** @description false: no run has closed a ledger yet */
            closed: boolean;
            closes: boolean;
            run_id: string | null;
            kind: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            closed_at: string | null;
            /** @example 4711 */
            snapshot: string | null;
            ruleset_version: string | null;
            active_ruleset: string | null;
            /** @description a later run that counted and did not close */
            not_closed_since: {
                run_id: string;
                /**
                 * Format: date-time
                 * @example 2027-01-31T12:00:00.123456Z
                 */
                at: string;
            } | null;
            /** @description what its closing does not prove */
            caveats: unknown[];
            /** @description the last closed ledger */
            last: components["schemas"]["ClosedScope"][];
            /** @description verdicts that are no longer valid, by scope */
            since: unknown[];
            /** @description the terms of the units at this moment; nothing is closed by it */
            now: components["schemas"]["LedgerTerms"][];
        };
        /** @description figures of a document that was stored when the run closed: no list of today has these lines */
        ClosedScope: {
            scope: string;
            total: number;
            covered: number;
            orphans: number;
            exceptions: number;
            retired: number;
            unverified: number;
            unverified_by: {
                [key: string]: number;
            };
            deferred_birth: number;
            deferred_by: {
                [key: string]: number;
            };
            class_0: number;
            not_relevant: number;
            tombstones: number;
            verified_share: number | null;
            /** @description counted over the tables of the host alone */
            inventory: number;
            duplicates: number;
            closes: boolean;
            /** @description inventory groups in which the two sides disagree */
            differing: number;
            differences: unknown[];
            gone: unknown[];
        };
        LedgerTerms: {
            scope: string;
            total: components["schemas"]["Count"] & unknown;
            covered: components["schemas"]["Count"];
            orphans: components["schemas"]["Count"];
            exceptions: components["schemas"]["Count"];
            retired: components["schemas"]["Count"];
            unverified: components["schemas"]["Count"];
            /** @description adds up to unverified */
            unverified_by: {
                cause: string;
                units: components["schemas"]["Count"];
            }[];
            deferred_birth: components["schemas"]["Count"];
            /** @description adds up to deferred_birth */
            deferred_by: {
                cause: string;
                units: components["schemas"]["Count"];
            }[];
            class_0: components["schemas"]["Count"];
            not_relevant: components["schemas"]["Count"] & unknown;
            tombstones: components["schemas"]["Count"] & unknown;
            grain: components["schemas"]["Count"] & unknown;
            /** @description (total − unverified) / total; 1 only if nothing is unverified; null: the total is 0 */
            verified_share: number | null;
        };
        Unit: {
            /**
             * @description a container that counts once; an object that counts by itself; a birth that could not be processed
             * @enum {string}
             */
            kind: "group" | "object" | "birth";
            scope: string;
            /** @description the one term of the ledger in which it counts in this scope */
            term: string;
            /** @description why, where the term does not say it */
            cause: string | null;
            collection: string | null;
            /** @description null for a container */
            code: string | null;
            /** @example 4711 */
            birth_id: string | null;
            /** @description the key of its inventory group */
            inventory_key: string;
            object_class: string;
            axis_family: string | null;
            lifecycle_status: string | null;
            /** @description accountable in this scope; null: none, or more than one */
            owner: string | null;
            /** @description null: never evaluated */
            risk_class: string | null;
            verdict: string | null;
            /** @description the line of precedence that decided */
            verdict_line: number | null;
            coverage_outcome: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            scan_time: string | null;
            /**
             * Format: date-time
             * @description the verdict is valid until then, if nothing changes
             * @example 2027-01-31T12:00:00.123456Z
             */
            stale_after: string | null;
        };
        EstateMap: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            scope: string;
            /** @description every scope that has a map */
            scopes: string[];
            /** @description at most a thousand, the largest first */
            groups: components["schemas"]["MappedGroup"][];
            /** @description what the groups are that are smaller than all of these */
            smaller: {
                groups: number;
                /** @example 4711 */
                recorded_members: string;
            };
        };
        MappedGroup: {
            inventory_key: string;
            collection: string;
            object_class: string;
            axis_family: string | null;
            lifecycle_status: string | null;
            /** @description why its class or registry cannot be resolved */
            unresolved: string | null;
            /** @description the group counts once, however many members it has */
            inherits: boolean;
            /**
             * @description what the intake recorded last; the group itself has the count of this moment
             * @example 4711
             */
            recorded_members: string | null;
            /** @description its units in the scope, by owner; empty: it has none */
            owners: {
                /** @description accountable in this scope; null: none, or more than one */
                owner: string | null;
                /** @description by term of the ledger; terms without units are left out */
                terms: {
                    term: string;
                    units: components["schemas"]["Count"];
                }[];
            }[];
            /** @description the group, with its counts */
            href: string;
        };
        Owners: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            owners: components["schemas"]["OwnedTerms"][];
        };
        OwnedTerms: {
            scope: string;
            /** @description accountable in this scope; null: none, or more than one */
            owner: string | null;
            total: components["schemas"]["Count"];
            /** @description by term of the ledger; terms without units are left out */
            terms: {
                term: string;
                units: components["schemas"]["Count"];
            }[];
        };
        ObjectLine: {
            /**
             * @description of the birth; a key that was born twice has two lines
             * @example 4711
             */
            id: string;
            collection: string;
            code: string;
            species: string | null;
            /** @description of the birth */
            status: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            born_at: string;
            object_class: string;
            axis_family: string | null;
            /** @description by its registry, or else of the birth */
            lifecycle_status: string | null;
            inventory_key: string;
            /**
             * @description whether verdicts of its own are kept, or its group answers for it
             * @enum {string}
             */
            represented_by: "object" | "group";
            /** @description the accountable owner in each scope; null: none, or more than one */
            owners: {
                scope: string;
                owner: string | null;
            }[];
        };
        GroupLine: {
            inventory_key: string;
            collection: string;
            object_class: string;
            axis_family: string | null;
            lifecycle_status: string | null;
            /** @description why its class or registry cannot be resolved */
            unresolved: string | null;
            /** @description the group counts once, however many members it has */
            inherits: boolean;
            /**
             * @description what the intake recorded last; the group itself has the count of this moment
             * @example 4711
             */
            recorded_members: string | null;
            /** @example 4711 */
            recorded_units: string | null;
            record_is_current: boolean;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            first_seen_at: string;
            /** @description the accountable owner in each scope; null: none, or more than one */
            owners: {
                scope: string;
                owner: string | null;
            }[];
        };
        Group: components["schemas"]["GroupLine"] & {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            members: components["schemas"]["Count"];
            /** @description terms without units are left out */
            units: {
                scope: string;
                term: string;
                units: components["schemas"]["Count"];
            }[];
            /** @description the address of why it is so */
            explanation: string;
        };
        Collection: {
            collection: string;
            objects: components["schemas"]["Count"];
        };
        Explanation: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            history: string;
            explanation?: unknown;
        };
        VerdictChange: {
            /** @example 4711 */
            history_id: string;
            /** @example 4711 */
            row_id: string;
            group_key: string;
            collection_name: string | null;
            entity_code: string | null;
            scope: string;
            ruleset_version: string;
            /** @example 4711 */
            source_snapshot_ref: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            scan_time: string;
            verdict_before: string | null;
            verdict_after: string;
            outcome_before: string | null;
            outcome_after: string | null;
            verdict_line: number;
            cause: string;
            run_id: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            recorded_at: string;
        };
        FindingLine: {
            /** @example GCOS-4711 */
            code: string;
            type: string;
            /** @description what it is about, to read */
            subject: string;
            subject_key: string;
            scope: string | null;
            severity: string;
            /** @description the bodies that are asked to act */
            routes: string[];
            status: string | null;
            /**
             * @description how often it was observed
             * @example 4711
             */
            occurrences: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            first_seen_at: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            last_seen_at: string | null;
        };
        FindingSummary: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            findings: components["schemas"]["Count"];
            by_severity: {
                severity: string;
                findings: components["schemas"]["Count"];
            }[];
            by_type: {
                type: string;
                severity: string;
                findings: components["schemas"]["Count"];
            }[];
        };
        Finding: components["schemas"]["FindingLine"] & {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            /** @example 4711 */
            issue_id: string;
            key: string;
            family: string;
            bucket: string;
            event_type: string;
            raised_when: string;
            closed_when: string;
            ruleset: string | null;
            announced: boolean;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            notified_at: string | null;
            host_severity: string | null;
            entity_type: string | null;
            entity_code: string | null;
            /** @example 4711 */
            reopens: string;
            run_id: string | null;
            evidence?: unknown;
            /** @description the code of the finding that summarises it */
            parent: string | null;
            /** @description at most a hundred */
            children: string[];
        };
        Fix: {
            id: string;
            what: string;
            action: string;
            link: string | null;
            subject: {
                kind: string;
                ref: string;
                collection: string | null;
            };
            scope: string | null;
            /** @description units that wait for it: a rank, as of the scan that evaluated them */
            objects: number;
            /** @description of them, those that wait for nothing else */
            alone: number;
            members: number;
            who: string[];
            severity: string | null;
            sample: string[];
            findings: string[];
            found_under?: unknown;
        };
        Request: components["schemas"]["RequestLine"] & {
            decisions: components["schemas"]["Decision"][];
            /** @description what a vote binds to: send it as If-Match. The hash of the plan, for an activation; of the proposed action, otherwise */
            decides_on: string;
        };
        Decision: {
            person: string;
            approver_type: string;
            /** @enum {string} */
            decision: "approve" | "reject" | "withdraw";
            login: string | null;
            verified: boolean | null;
            /** @enum {string|null} */
            level: "login" | "oidc" | "token" | "unverified" | null;
            reason: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            decided_at: string | null;
            by_proposer: boolean;
            counts: boolean;
            remark: string | null;
        };
        Ruleset: {
            /** @example gov-rs-0123456789ab */
            version: string;
            family: string;
            /** @enum {string} */
            status: "draft" | "active" | "superseded";
            owner: string | null;
            content_hash: string;
            /** @description from where its content was read */
            provenance?: unknown;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            created_at: string;
            created_by: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            activated_at: string | null;
            activated_by: string | null;
            activated_verified: boolean | null;
            /** @description how the activating person was verified */
            activated_level: string | null;
            /** @description the approval of its proposer was counted */
            self_approved: boolean | null;
            approval_ref: string | null;
            /** @description of the plan that was approved */
            plan_hash: string | null;
            supersedes: string | null;
            notes: string | null;
        };
        RulesetDetail: components["schemas"]["Ruleset"] & {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            content?: unknown;
        };
        RulesetDiff: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            from: string;
            to: string;
            /** @description the changes in words */
            lines: string[];
            changes: unknown[];
        };
        Plan: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            from: string | null;
            to: string;
            /** @description what an approval of this plan binds to */
            hash: string;
            changes: unknown[];
            /** @description groups that the activation would mark, and those it would carry */
            groups: {
                /** @example 4711 */
                total: string;
                /** @example 4711 */
                dirtied: string;
                /** @example 4711 */
                carried: string;
            };
            /** @description verdicts and answers of the gate that would change */
            flips?: unknown;
        };
        ExceptionLine: {
            /** @example GEX-0001 */
            code: string;
            /** @description an object, a group, a collection or a class */
            subject?: unknown;
            scope: string;
            /** @description the link that may be missing; null: any */
            link: string | null;
            reason: string;
            requested_by: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            granted_at: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            expires_at: string;
            approval_ref: string | null;
            /** @description only in_force accepts a gap */
            status: string;
            /** @description of its own: the units of its subject, and those with a gap that it accepts */
            units: {
                /** @example 4711 */
                covers: string;
                /** @example 4711 */
                needing: string;
            } | null;
            needed: boolean | null;
        };
        Exception: components["schemas"]["ExceptionLine"] & {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            why: string;
            revoked: {
                /**
                 * Format: date-time
                 * @example 2027-01-31T12:00:00.123456Z
                 */
                at: string;
                by: string;
                reason: string;
            } | null;
            fingerprint: {
                at_grant: string;
                now: string | null;
            };
            request?: unknown;
        };
        RulesetDraft: {
            version: string;
            content_hash: string;
            /** @description false: these rules were drafted before */
            created: boolean;
            /** @enum {string} */
            status: "draft" | "active" | "superseded";
            owner: string | null;
        };
        Activation: {
            version: string;
            superseded: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            activated_at: string;
            activated_by: string;
            verified: boolean;
            /** @enum {string|null} */
            identity_level: "login" | "oidc" | "token" | "unverified" | null;
            self_approved: boolean;
            verdicts: {
                groups: {
                    carried: number;
                    dirtied: number;
                };
                objects: {
                    carried: number;
                    dirtied: number;
                };
                findings: number;
            } | null;
        };
        ExceptionTerms: {
            subject: components["schemas"]["ExceptionSubject"];
            scope: string;
            /** @description the link that may be missing; absent: any link */
            link?: string;
            seconds?: number;
            until?: string;
            reason: string;
            /** @description request a follow-up although one is in force */
            renew?: boolean;
        };
        ExceptionSubject: {
            /** @enum {string} */
            kind: "object";
            collection: string;
            code: string;
        } | {
            /** @enum {string} */
            kind: "group";
            inventory_key: string;
        } | {
            /** @enum {string} */
            kind: "collection";
            collection: string;
        } | {
            /** @enum {string} */
            kind: "class";
            object_class: string;
        };
        Run: {
            run_id: string;
            /** @enum {string} */
            kind: "backfill" | "scan";
            /** @enum {string|null} */
            mode: "event" | "incremental" | "full" | null;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "throttled";
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            started_at: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            finished_at: string | null;
            /** @example 4711 */
            snapshot_ref: string | null;
            /** @example 4711 */
            closing_snapshot_ref: string | null;
            ruleset_version: string | null;
            phase: string | null;
            /** @description what the run did: a record, no list has it */
            counts: {
                [key: string]: unknown;
            };
            proof?: unknown;
            /** @description the ledger that it counted, as it was stored */
            ledger?: unknown;
            error: string | null;
        };
        RunDetail: components["schemas"]["Run"] & {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
        };
        /** @description its numbers are those of a stored document */
        SnapshotLine: {
            /** @example 4711 */
            id: string;
            kind: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            ruleset_version: string | null;
            phase: string | null;
            /** @description a hash of its content */
            identity: string | null;
            /**
             * @description how many births it has
             * @example 4711
             */
            objects: string | null;
            /** @example 4711 */
            grain: string | null;
            groups: number | null;
            unresolved_groups: number | null;
            /** @description groups that differ from the snapshot before */
            drifted: number;
            rebaseline: string | null;
            /** @description a verdict refers to it, so it cannot be pruned */
            in_use: boolean;
        };
        Workers: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            /**
             * Format: date-time
             * @description what the host committed before is taken in
             * @example 2027-01-31T12:00:00.123456Z
             */
            watched_at: string | null;
            unwatched: boolean;
            paused: boolean;
            duties: {
                duty: string;
                /** @enum {string} */
                state: "working" | "paused" | "stopped" | "failing" | "silent" | "never_started";
                holder: string | null;
                /**
                 * Format: date-time
                 * @example 2027-01-31T12:00:00.123456Z
                 */
                last_tick_at: string | null;
                /**
                 * Format: date-time
                 * @example 2027-01-31T12:00:00.123456Z
                 */
                last_success_at: string | null;
                /**
                 * Format: date-time
                 * @example 2027-01-31T12:00:00.123456Z
                 */
                failing_since: string | null;
                lag_seconds: number | null;
                error: string | null;
            }[];
            history: unknown[];
            dead_letters: {
                origin: string;
                letters: components["schemas"]["Count"];
            }[];
        };
        DeadLetterLine: {
            id: string;
            origin: string;
            hint: string;
            table: string | null;
            ref: string | null;
            failures: number;
            last_error: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            dead_lettered_at: string | null;
            /** @description its reader no longer exists, so it cannot be retried */
            lost: boolean;
        };
        Source: {
            name: string;
            kind: string;
            /** @description without secrets */
            config?: unknown;
            /** @enum {string} */
            status: "active" | "removed";
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            added_at: string;
            added_by: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            read_at: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            synced_at: string | null;
            failure?: unknown;
            /**
             * @description what the last sync listed
             * @example 4711
             */
            objects: string;
            /** @example 4711 */
            gone: string;
        } & {
            [key: string]: unknown;
        };
        Setting: {
            key: string;
            value?: unknown;
            default?: unknown;
            is_default: boolean;
            type: string;
            about: string;
            /** @description who may change it */
            changed_by: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            updated_at: string;
            updated_by: string;
        };
        Input: {
            key: string;
            collection: string;
            code: string | null;
            state: string;
            cause: string;
            scopes: string[] | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            since: string;
            relapses: number;
            quarantine: {
                /**
                 * Format: date-time
                 * @example 2027-01-31T12:00:00.123456Z
                 */
                at: string;
                by: string;
                reason: string | null;
            } | null;
            pending: boolean;
        };
        InputSummary: {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            by_state: {
                state: string;
                inputs: components["schemas"]["Count"];
            }[];
        };
        Remediation: {
            remedy: string;
            what: string;
            scope: string | null;
            who: string[];
            fix: string | null;
            objects: number | null;
            members: number | null;
            sample: string[];
            findings: string[];
            finding_count: number;
            found_under: {
                snapshot: string | null;
                ruleset: string | null;
                /**
                 * Format: date-time
                 * @example 2027-01-31T12:00:00.123456Z
                 */
                scan_time: string | null;
                run: string | null;
            };
        };
        PauseState: {
            paused: boolean;
            pause: components["schemas"]["PauseAct"];
            resume: components["schemas"]["PauseAct"];
        };
        WorkOrder: {
            /** @example 4711 */
            id: string;
            /** @description where to follow it */
            href: string;
            /** @enum {string} */
            kind: "scan" | "sync";
            /** @description the mode of a scan, or the name of a source */
            subject: string;
            ordered_by: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            ordered_at: string;
            /**
             * @description waiting: no worker has begun; otherwise that of the first scan or sync that began after the order
             * @enum {string}
             */
            status: "waiting" | "running" | "completed" | "failed" | "throttled";
            /** @description of a scan that has begun; a sync has none */
            run_id: string | null;
            /** @description the address of that run */
            run: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            ended_at: string | null;
            error: string | null;
        };
        WorkOrderDetail: components["schemas"]["WorkOrder"] & {
            /** @description the moment that this answer describes; opaque, and a parameter of every list */
            as_of: string;
            /**
             * Format: date-time
             * @description the time of that moment
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
        };
        EventType: {
            event_type: string;
            stream: string;
            /** @description the name that the host allows */
            host_stream: string;
            lane: string;
            severity: string | null;
            /** @description only signals of active types leave; others are held */
            active: boolean;
            heartbeat: boolean;
            /** @description GCOS emits it; false: an operator registered it */
            own: boolean;
            description: string;
        };
        HeldSignal: {
            /**
             * @description signals of one subject leave in this order
             * @example 4711
             */
            order_no: string;
            event_type: string;
            subject_table: string;
            subject_ref: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            held_at: string;
            dead_lettered: boolean;
            error_count: number;
            last_error: string | null;
        };
        Notification: {
            /** @example 4711 */
            id: string;
            kind: string;
            event_id: string | null;
            event_type: string | null;
            canonical_address: string | null;
            severity: string;
            /** @description how many signals it stands for */
            signals: number | string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            window_start: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            delivered_at: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            read_at: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            escalated_at: string | null;
            escalated_from: string | null;
        };
        Token: {
            id: string;
            name: string;
            /** @description null: a pipeline */
            person: string | null;
            permissions: ("read" | "gate" | "decide" | "operate")[];
            scopes: string[] | null;
            owners: string[] | null;
            /** @enum {string} */
            status: "active" | "expired" | "revoked" | "person_inactive";
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            created_at: string;
            created_by: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            revoked_at: string | null;
            revoked_by: string | null;
        };
        Person: {
            person: string;
            /** @description null: only others act for this person */
            login: string | null;
            /** @description the kind of approver */
            approver_type: string;
            title: string;
            may_act_for_others: boolean;
            active: boolean;
            /** @description what identified this person was erased; it cannot act again */
            erased: boolean;
            /**
             * @description subjects of sign-in providers that are this person
             * @example 4711
             */
            identities: string;
            tokens: components["schemas"]["Count"] & unknown;
        };
        GateCheck: {
            /**
             * @description the number under which the answers are recorded
             * @example 4711
             */
            id: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            /**
             * Format: date-time
             * @description everything that the host committed before this time is taken into account
             * @example 2027-01-31T12:00:00.123456Z
             */
            watched_at: string | null;
            /**
             * @description the strictest enforced answer of all decisions
             * @enum {string}
             */
            answer: "allow" | "block" | "allow_and_rescan";
            /** @description blocks at stages that only observe */
            would_block: number;
            decisions: (components["schemas"]["GateDecision"] & {
                /**
                 * @description the number of the check, and the place in it
                 * @example 4711.1
                 */
                id: string;
            })[];
        };
        GateDecision: {
            subject: {
                collection: string;
                code: string;
            } | {
                group: string;
            };
            /** @enum {string} */
            stage: "design" | "impl" | "route" | "prod";
            /** @enum {string} */
            action: "read" | "write" | "execute";
            /** @enum {string} */
            answer: "allow" | "block" | "allow_and_rescan";
            /**
             * @description observe: the stage does not enforce blocks; this one would be a block
             * @enum {string}
             */
            mode: "enforce" | "observe";
            high_risk: boolean;
            /** @description the pass that turned a block into an allow */
            break_glass: string | null;
            reasons: {
                code: string;
                scope: string | null;
                sentence: string;
            }[];
            fixes: {
                what: string;
                who: string[];
            }[];
            evidence: {
                scope: string;
                /** @example 4711 */
                snapshot: string;
                ruleset: string;
                /**
                 * Format: date-time
                 * @example 2027-01-31T12:00:00.123456Z
                 */
                scan_time: string;
            }[];
            /**
             * Format: date-time
             * @description of an allow: the earliest end of the verdicts or the pass that it relies on; what changes earlier ends it earlier
             * @example 2027-01-31T12:00:00.123456Z
             */
            valid_until: string | null;
        };
        /** @description stage and action hold for every item that has none of its own */
        GateManifest: {
            items: components["schemas"]["GateQuestion"][];
            /** @enum {string} */
            stage?: "design" | "impl" | "route" | "prod";
            /** @enum {string} */
            action?: "read" | "write" | "execute";
            /** @description first wait until all that the host has committed by now is taken in and evaluated: a worker must run */
            fresh?: boolean;
        };
        /** @description an object, or a group by its key or that of its inventory group; default: stage prod, action execute */
        GateQuestion: {
            collection: string;
            code: string;
            /** @enum {string} */
            stage?: "design" | "impl" | "route" | "prod";
            /** @enum {string} */
            action?: "read" | "write" | "execute";
        } | {
            group: string;
            /** @enum {string} */
            stage?: "design" | "impl" | "route" | "prod";
            /** @enum {string} */
            action?: "read" | "write" | "execute";
        };
        RecordedGateDecision: components["schemas"]["GateDecision"] & {
            /**
             * @description the number of the check, and the place in it
             * @example 4711.1
             */
            id: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            at: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            watched_at: string | null;
            login: string;
            person: string | null;
            /** @description whom the caller said it asks for: a claim that nothing checked and that never decides */
            claimed_by: {
                type: string;
                id: string;
            } | null;
        };
        BreakGlassPass: {
            /** @example GBG-0001 */
            code: string;
            subject: {
                /** @enum {string} */
                kind: "object";
                collection: string;
                code: string;
            } | {
                /** @enum {string} */
                kind: "group";
                inventory_key: string;
            };
            /** @enum {string} */
            stage: "design" | "impl" | "route" | "prod";
            /** @enum {string} */
            action: "read" | "write" | "execute";
            minutes: number;
            reason: string;
            requested_by: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            requested_at: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            approve_by: string;
            approval_ref: string;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            began_at: string | null;
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            ends_at: string | null;
            /** @enum {string} */
            status: "waiting" | "in_force" | "over" | "closed" | "lapsed" | "late" | "refused" | "unratified";
            /**
             * Format: date-time
             * @example 2027-01-31T12:00:00.123456Z
             */
            verified_at: string | null;
        };
        BreakGlassRequest: {
            collection: string;
            code: string;
            /** @enum {string} */
            stage: "design" | "impl" | "route" | "prod";
            /** @enum {string} */
            action: "read" | "write" | "execute";
            minutes?: number;
            reason: string;
        } | {
            group: string;
            /** @enum {string} */
            stage: "design" | "impl" | "route" | "prod";
            /** @enum {string} */
            action: "read" | "write" | "execute";
            minutes?: number;
            reason: string;
        };
        AuthZenDecision: {
            decision: boolean;
            context?: {
                [key: string]: unknown;
            };
        };
        AuthZenEvaluation: {
            /** @description a claim: its type and id are recorded, and do not decide */
            subject: {
                type: string;
                id: string;
                properties?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description name: read, write or execute; properties.stage: design, impl, route or prod */
            action: {
                name: string;
                properties?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            /** @description an object: type is its collection, id its code. A group: type gcos:group, id its key */
            resource: {
                type: string;
                id: string;
                properties?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            context?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        AuthZenEvaluations: {
            subject?: {
                type: string;
                id: string;
                properties?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            action?: {
                name: string;
                properties?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            resource?: {
                type: string;
                id: string;
                properties?: {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            context?: {
                [key: string]: unknown;
            };
            /** @description each takes the subject, action, resource and context that it lacks from the top */
            evaluations?: {
                [key: string]: unknown;
            }[];
            options?: {
                /** @enum {string} */
                evaluations_semantic?: "execute_all" | "deny_on_first_deny" | "permit_on_first_permit";
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        AuthZenConfiguration: {
            /** Format: uri */
            policy_decision_point: string;
            /** Format: uri */
            access_evaluation_endpoint: string;
            /** Format: uri */
            access_evaluations_endpoint: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        ok: true;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                } | {
                    link: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedSession"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_session: {
        parameters: {
            query?: {
                everywhere?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ended: number;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_session_methods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_session_oidc_start: {
        parameters: {
            query?: {
                /** @description the page to which the browser comes back */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_session_oidc_callback: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                iss?: string;
                session_state?: string;
                scope?: string;
                authuser?: string;
                hd?: string;
                prompt?: string;
                error?: string;
                error_description?: string;
                error_uri?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Root"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_requests: {
        parameters: {
            query?: {
                /** @description as the host stores it: pending, approved, … */
                status?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        requests: components["schemas"]["RequestLine"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_requests: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    action: string;
                    proposed_action: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description the answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Request"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_ledger: {
        parameters: {
            query?: {
                scope?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ledger"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_units: {
        parameters: {
            query?: {
                scope?: string;
                /** @description a term of the ledger; `total`: all but not_relevant */
                term?: string;
                cause?: string;
                owner?: string;
                /** @description only units for which no owner is accountable, or more than one */
                unowned?: "true";
                collection?: string;
                object_class?: string;
                /** @description the key of an inventory group */
                group?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        units: components["schemas"]["Unit"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_map: {
        parameters: {
            query?: {
                /** @description default: the first scope, for a token without limits */
                scope?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EstateMap"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_owners: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Owners"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_objects: {
        parameters: {
            query?: {
                collection?: string;
                /** @description the status of the birth */
                status?: string;
                /** @description the key of an inventory group */
                group?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        objects: components["schemas"]["ObjectLine"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_groups: {
        parameters: {
            query?: {
                collection?: string;
                object_class?: string;
                owner?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        groups: (components["schemas"]["GroupLine"] & {
                            /** @description the group, with its counts */
                            href: string;
                        })[];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_groups_key: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_groups_key_explanation: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        explanation?: unknown;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_collections: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        collections: components["schemas"]["Collection"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_objects_collection_code: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                collection: string;
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_objects_collection_code_history: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                collection: string;
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        changes: components["schemas"]["VerdictChange"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_findings: {
        parameters: {
            query?: {
                type?: string;
                scope?: string;
                severity?: string;
                /** @description a body that is asked to act */
                owner?: string;
                /** @description closed findings, too */
                all?: "true";
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        findings: components["schemas"]["FindingLine"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_findings_summary: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindingSummary"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_findings_code: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Finding"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_fixes: {
        parameters: {
            query?: {
                scope?: string;
                owner?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        fixes: components["schemas"]["Fix"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_requests_code: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Request"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_requests_code_approve: {
        parameters: {
            query?: never;
            header: {
                /** @description the entity tag of what the decision was made on, in quotes */
                "If-Match": string;
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Request"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_requests_code_reject: {
        parameters: {
            query?: never;
            header: {
                /** @description the entity tag of what the decision was made on, in quotes */
                "If-Match": string;
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Request"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_requests_code_withdraw: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Request"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_rulesets: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        rulesets: components["schemas"]["Ruleset"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_rulesets: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    notes?: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesetDraft"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_rulesets_version: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesetDetail"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_rulesets_version_diff_to: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                version: string;
                to: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulesetDiff"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_plan: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_exceptions: {
        parameters: {
            query?: {
                status?: string;
                scope?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        exceptions: components["schemas"]["ExceptionLine"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_exceptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExceptionTerms"];
            };
        };
        responses: {
            /** @description the answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        exception: components["schemas"]["Exception"];
                        opened: boolean;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_exceptions_code: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Exception"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_rulesets_propose: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description the answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the request; a vote on it binds to `decides_on` */
                        code: string;
                        decides_on: string;
                        from: string | null;
                        to: string;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_rulesets_version_activate: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                version: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @example APR-0061 */
                    request: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activation"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_exceptions_code_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Exception"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_runs: {
        parameters: {
            query?: {
                kind?: string;
                mode?: string;
                status?: string;
                /** @description only runs that can close a ledger */
                closings?: "true";
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        runs: components["schemas"]["Run"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_runs_id: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_snapshots: {
        parameters: {
            query?: {
                kind?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        snapshots: components["schemas"]["SnapshotLine"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_workers: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workers"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_dead_letters: {
        parameters: {
            query?: {
                origin?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        letters: components["schemas"]["DeadLetterLine"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_sources: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        sources: components["schemas"]["Source"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_settings: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        settings: components["schemas"]["Setting"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_inputs: {
        parameters: {
            query?: {
                state?: string;
                collection?: string;
                code?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        inputs: components["schemas"]["Input"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_inputs_summary: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InputSummary"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_fixes_remedy_propose: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                remedy: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description the answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        code: string;
                        created: boolean;
                        remediation: components["schemas"]["Remediation"];
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_dead_letters_retry: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids?: string[];
                    origin?: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        retried: {
                            id: string;
                            origin: string;
                        }[];
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_workers_pause: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PauseState"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_workers_resume: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PauseState"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    put_settings_key: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    value?: unknown;
                };
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        key: string;
                        before?: unknown;
                        after?: unknown;
                        changed: boolean;
                        needs_approval: boolean;
                        person: string;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_scans: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default incremental
                     * @enum {string}
                     */
                    mode?: "incremental" | "full";
                };
            };
        };
        responses: {
            /** @description the answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkOrder"] & {
                        /** @description false: the same order waits already */
                        created: boolean;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_sources_source_sync: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                source: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description the answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkOrder"] & {
                        /** @description false: the same order waits already */
                        created: boolean;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_work_orders: {
        parameters: {
            query?: {
                kind?: string;
                status?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        orders: components["schemas"]["WorkOrder"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_work_orders_id: {
        parameters: {
            query?: {
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkOrderDetail"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_events_types: {
        parameters: {
            query?: {
                stream?: string;
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        types: components["schemas"]["EventType"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_events_held: {
        parameters: {
            query?: {
                type?: string;
                dead_lettered?: "true" | "false";
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        signals: components["schemas"]["HeldSignal"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_inbox_recipient: {
        parameters: {
            query?: {
                /** @description read ones, too */
                all?: "true";
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path: {
                recipient: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        notifications: components["schemas"]["Notification"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_tokens: {
        parameters: {
            query?: {
                person?: string;
                status?: "active" | "expired" | "revoked" | "person_inactive";
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        tokens: components["schemas"]["Token"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_people: {
        parameters: {
            query?: {
                limit?: number;
                /** @description `next.after` of the previous page, with the same filter and `as_of` */
                after?: string;
                /** @description reads this moment: the `as_of` of another answer, for at least a minute after it; 410 afterwards */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the moment that this answer describes; opaque, and a parameter of every list */
                        as_of: string;
                        /**
                         * Format: date-time
                         * @description the time of that moment
                         * @example 2027-01-31T12:00:00.123456Z
                         */
                        at: string;
                        people: components["schemas"]["Person"][];
                        /** @description null: this is the last page */
                        next: {
                            after: string;
                            /** @description the next page, of the same moment */
                            href: string;
                        } | null;
                    };
                    "text/csv": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_tokens_id_revoke: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_gate_check: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    collection: string;
                    code: string;
                    /** @enum {string} */
                    stage?: "design" | "impl" | "route" | "prod";
                    /** @enum {string} */
                    action?: "read" | "write" | "execute";
                    /** @description first wait until all that the host has committed by now is taken in and evaluated: a worker must run */
                    fresh?: boolean;
                } | {
                    group: string;
                    /** @enum {string} */
                    stage?: "design" | "impl" | "route" | "prod";
                    /** @enum {string} */
                    action?: "read" | "write" | "execute";
                    /** @description first wait until all that the host has committed by now is taken in and evaluated: a worker must run */
                    fresh?: boolean;
                } | components["schemas"]["GateManifest"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateCheck"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_gate_decisions: {
        parameters: {
            query?: {
                limit?: number;
                /** @description the number of the check, and the place in it */
                after?: string;
                answer?: "allow" | "block" | "allow_and_rescan";
                stage?: "design" | "impl" | "route" | "prod";
                action?: "read" | "write" | "execute";
                collection?: string;
                code?: string;
                group?: string;
                check?: string;
                /** @description whether a break-glass pass turned a block into an allow */
                passed?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        decisions: components["schemas"]["RecordedGateDecision"][];
                        /**
                         * @description the number of the check, and the place in it
                         * @example 4711.1
                         */
                        next: string | null;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_gate_decisions_id: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the number of the check, and the place in it */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedGateDecision"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_gate_break_glass: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        passes: components["schemas"]["BreakGlassPass"][];
                        /** @example GBG-0001 */
                        next: string | null;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_gate_break_glass: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BreakGlassRequest"];
            };
        };
        responses: {
            /** @description the answer */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        pass: components["schemas"]["BreakGlassPass"];
                        opened: boolean;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_gate_break_glass_code: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BreakGlassPass"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_gate_break_glass_code_close: {
        parameters: {
            query?: never;
            header?: {
                /** @description a repeat with the same key within a day gets the first answer, and acts only once */
                "Idempotency-Key"?: string;
            };
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BreakGlassPass"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    post_access_v1_evaluation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthZenEvaluation"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthZenDecision"];
                };
            };
        };
    };
    post_access_v1_evaluations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthZenEvaluations"];
            };
        };
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        evaluations: components["schemas"]["AuthZenDecision"][];
                    } | components["schemas"]["AuthZenDecision"];
                };
            };
        };
    };
    get_well_known_authzen_configuration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthZenConfiguration"];
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_stream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "text/event-stream": string;
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_openapi_json: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description why not */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
