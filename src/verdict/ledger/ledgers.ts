// Owns the commands about ledgers: show the last closed ledger and the changes since, recount both sides now,
// or export the last closed ledger for an audit. No command writes to the database.
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import { type Installation, requireScope as requireHostScope, requireOwner } from '../../host/index.js';
import { readClassMap } from '../../inventory/group/index.js';
import { requireLimit, requireTime, unknownName } from '../../kernel/index.js';
import { readActive } from '../../rule/ruleset/index.js';
import type { Caveat } from './caveat.js';
import { readSince } from './close.js';
import { readChanges, readClosed, type ScopeChanges } from './closed/store.js';
import { ledgerErrors } from './errors.js';
import { exportLedger, type LedgerExport } from './export/export.js';
import {
  addTerms,
  computeLedger,
  type Ledger,
  readRight,
  type ScopeLedger,
  type ScopeTerms,
  shareVerified,
} from './ledger.js';
import { type EstateMap, type OwnedTerms, readMap, readOwners } from './row/owned.js';
import { readTerms } from './row/terms.js';
import { pageUnits, type UnitFilter, type UnitPage } from './row/units.js';

/** The units of one owner now, by scope. No ledger is closed per owner, so there is no left side. */
export interface OwnerLedger {
  readonly owner: string;
  readonly verifiedShare: number | null;
  /** The scopes in which the owner is responsible for units. */
  readonly scopes: readonly ScopeTerms[];
}

/** The units by scope and term at a time, from the rows alone. */
export interface CurrentTerms {
  readonly at: string;
  readonly scopes: readonly ScopeTerms[];
}

export interface ShownLedger {
  /** The time of the request. */
  readonly at: string;
  /** False: no run has closed a ledger yet, so nothing is accounted for. */
  readonly closed: boolean;
  readonly runId: string | null;
  readonly kind: string | null;
  readonly closedAt: string | null;
  readonly snapshot: bigint | null;
  readonly rulesetVersion: string | null;
  readonly activeRuleset: string | null;
  readonly closes: boolean;
  readonly scopes: readonly ScopeLedger[];
  /** What its closing does not prove. */
  readonly caveats: readonly Caveat[];
  /** Over the shown scopes; 1 only if no unit in them is unverified. */
  readonly verifiedShare: number | null;
  /** Null when no owner was requested. */
  readonly owned: OwnerLedger | null;
  /** A later run that counted and did not close; null when the shown ledger is the latest. */
  readonly notClosedSince: { readonly runId: string; readonly at: string } | null;
  /** The verdicts that are no longer valid now, by scope. */
  readonly since: readonly ScopeChanges[];
}

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

function pick<T extends { readonly scope: string }>(
  all: readonly T[],
  scope: string | undefined,
): readonly T[] {
  return scope === undefined ? all : all.filter((each) => each.scope === scope);
}

function requireScope<T extends ScopeTerms>(
  ledger: { readonly scopes: readonly T[] },
  scope: string | undefined,
): readonly T[] {
  const found = pick(ledger.scopes, scope);
  if (scope !== undefined && found.length === 0)
    throw unknownName(scope, {
      what: 'scope of the ledger',
      known: ledger.scopes.map((each) => each.scope),
      error: ledgerErrors.ledger_scope_unknown,
    });
  return found;
}

async function readOwned(
  tx: Transaction,
  at: string,
  options: { readonly scope?: string; readonly owner?: string },
): Promise<OwnerLedger | null> {
  const { owner } = options;
  if (owner === undefined) return null;
  const terms = await readTerms(tx, at, { owner });
  const names = [...new Set(terms.map((each) => each.scope))].sort();
  const scopes = pick(
    names.map((scope) =>
      addTerms(
        scope,
        terms.filter((each) => each.scope === scope),
      ),
    ),
    options.scope,
  );
  return { owner, verifiedShare: shareVerified(scopes), scopes };
}

export class Ledgers {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** The last closed ledger as stored, and separately the changes since. */
  async show(
    options: { readonly scope?: string; readonly owner?: string; readonly at?: string } = {},
  ): Promise<ShownLedger> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const at = options.at === undefined ? await readServerTime(tx) : requireTime('at', options.at);
      if (options.owner !== undefined) await requireOwner(tx, options.owner);
      const last = await readClosed(tx);
      // Without a ledger, the scopes of the host are those that exist.
      if (options.scope !== undefined && last === undefined) await requireHostScope(tx, options.scope);
      const latest = await readClosed(tx, { any: true });
      const open =
        latest === undefined || latest.runId === last?.runId
          ? null
          : { runId: latest.runId, at: latest.document.at };
      const active = (await readActive(tx))?.version ?? null;
      const since = pick(await readChanges(tx, at), options.scope);
      const owned = await readOwned(tx, at, options);
      if (last === undefined)
        return {
          at,
          closed: false,
          runId: null,
          kind: null,
          closedAt: null,
          snapshot: null,
          rulesetVersion: null,
          activeRuleset: active,
          closes: false,
          scopes: [],
          caveats: [],
          verifiedShare: null,
          owned,
          notClosedSince: open,
          since,
        };
      const scopes = requireScope(last.document, options.scope);
      return {
        at,
        closed: true,
        runId: last.runId,
        kind: last.kind,
        closedAt: last.document.at,
        snapshot: last.closingSnapshotRef ?? last.snapshotRef,
        rulesetVersion: last.rulesetVersion,
        activeRuleset: active,
        closes: last.document.closes,
        scopes,
        caveats: last.document.caveats,
        verifiedShare: shareVerified(scopes),
        owned,
        notClosedSince: open,
        since,
      };
    });
  }

  /** The terms of the units as they are now: what the lists of `units` have. Nothing is closed by it. */
  async terms(
    options: { readonly scope?: string; readonly group?: string; readonly at?: string } = {},
  ): Promise<CurrentTerms> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const at = options.at === undefined ? await readServerTime(tx) : requireTime('at', options.at);
      const right = await readRight(tx, { at, map: await readClassMap(tx, this.#db.schema) });
      const scopes = right.scopes.map((scope) =>
        addTerms(
          scope,
          right.terms.filter(
            (each) =>
              each.scope === scope && (options.group === undefined || each.inventoryKey === options.group),
          ),
        ),
      );
      return { at, scopes: requireScope({ scopes }, options.scope) };
    });
  }

  /** The units behind a term of a scope, in pages. */
  async units(filter: UnitFilter & { readonly at?: string } = {}): Promise<UnitPage> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const at = filter.at === undefined ? await readServerTime(tx) : requireTime('at', filter.at);
      return pageUnits(tx, at, filter);
    });
  }

  /** The groups with the most members, each with its units in one scope, now. Default: the first scope. */
  async map(
    options: { readonly scope?: string; readonly limit?: number; readonly at?: string } = {},
  ): Promise<EstateMap> {
    await this.#installation.requireInstalled();
    const limit = requireLimit(options.limit ?? 1_000);
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const at = options.at === undefined ? await readServerTime(tx) : requireTime('at', options.at);
      return readMap(tx, at, { ...options, limit });
    });
  }

  /** The units by scope and owner, now. */
  async owners(options: { readonly at?: string } = {}): Promise<readonly OwnedTerms[]> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const at = options.at === undefined ? await readServerTime(tx) : requireTime('at', options.at);
      return readOwners(tx, at);
    });
  }

  /** Recounts both sides in one snapshot. */
  async verify(options: { readonly scope?: string; readonly at?: string } = {}): Promise<Ledger> {
    await this.#installation.requireInstalled();
    const limitMs = this.#db.statementTimeoutMs;
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const at = options.at === undefined ? await readServerTime(tx) : requireTime('at', options.at);
      const { gone } = await readSince(tx);
      const ledger = await computeLedger(tx, { schema: this.#db.schema, at, limitMs, gone });
      const scopes = requireScope(ledger, options.scope);
      return { ...ledger, scopes, closes: scopes.length > 0 && scopes.every((each) => each.closes) };
    });
  }

  /** The last closed ledger as files that an auditor can check without GCOS. The caller writes them. */
  async export(): Promise<LedgerExport> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) =>
      exportLedger(tx, { schema: this.#db.schema, at: await readServerTime(tx) }),
    );
  }
}
