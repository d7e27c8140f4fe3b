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
    "/api/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
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
        get?: never;
        put?: never;
        /** Store the rules in the tables as a draft, named by its content */
        post: operations["post_rulesets"];
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
    "/api/v1/exceptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
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
            level: "login" | "token" | "unverified" | null;
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
            proposer_level: "login" | "token" | "unverified" | null;
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
            identity_level: "login" | "token" | "unverified" | null;
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
        Exception: {
            code: string;
            subject: components["schemas"]["ExceptionSubject"];
            scope: string;
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
            status: string;
            units: {
                /** @example 4711 */
                covers: string;
                /** @example 4711 */
                needing: string;
            } | null;
            needed: boolean | null;
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
