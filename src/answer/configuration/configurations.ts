// Owns the operations on gcos.yaml: plan and apply. Applying twice changes nothing the second time.
// INVARIANT: an application does nothing that the person could not do by command: policies and exceptions
// wait for the same approvals.
import { type Database, readServerTime } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { hasCode, LONGEST_PAGE } from '../../kernel/index.js';
import type { Settings } from '../../record/approval/index.js';
import type { Exceptions } from '../../rule/exception/index.js';
import { kitSetting } from '../../source/kit/index.js';
import { sourceLinks } from '../../source/link/index.js';
import type { Sources } from '../../source/object/index.js';
import type { ConfigurationChange, ConfigurationPlan } from './change.js';
import type { ConfigurationDocument } from './document.js';
import { configurationErrors } from './errors.js';
import { type Configuration, readConfiguration } from './file.js';
import { writeKitRules } from './kit-rules.js';
import { manage, writeBodies } from './managed.sql.js';
import {
  type ConfigOf,
  endOf,
  gapText,
  POLICY_KEY,
  planConfiguration,
  subjectOf,
  wantedRows,
} from './plan.js';

export interface AppliedConfiguration extends ConfigurationPlan {
  /** The requests for exceptions that this application opened, which wait for an approval. */
  readonly requests: readonly string[];
  /** Whether the approval policy differs from the one in force: it needs a ruleset. */
  readonly policyChanged: boolean;
}

/** A part of gcos.yaml. */
export type ConfigurationPart = 'bodies' | 'approval' | 'sources' | 'rules' | 'gaps';

export interface ApplyOptions {
  /** By default all parts. What is left out stays as it is. */
  readonly only?: readonly ConfigurationPart[];
  /** Leave out gaps of what is not there: of estates that this home does not have, or not any more. */
  readonly ofKnown?: boolean;
}

const isDue = ({ change }: ConfigurationChange): boolean => change === 'create' || change === 'change';

/** @internal What an application acts through. */
interface ConfiguredParts {
  readonly settings: Settings;
  readonly exceptions: Exceptions;
  readonly sources: Sources;
}

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const WRITE = { isolation: 'read committed', retries: 3 } as const;

export class Configurations {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #settings: Settings;
  readonly #exceptions: Exceptions;
  readonly #sources: Sources;

  /** @internal */
  constructor(db: Database, installation: Installation, { settings, exceptions, sources }: ConfiguredParts) {
    this.#db = db;
    this.#installation = installation;
    this.#settings = settings;
    this.#exceptions = exceptions;
    this.#sources = sources;
  }

  /** What applying the file would change; writes nothing. */
  async plan(file: string): Promise<ConfigurationPlan> {
    return this.#plan(readConfiguration(file));
  }

  async #plan(configuration: Configuration): Promise<ConfigurationPlan> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) =>
      planConfiguration(tx, configuration, { at: await readServerTime(tx), configOf: this.#configOf }),
    );
  }

  readonly #configOf: ConfigOf = ({ name, kind, options }) => this.#sources.configOf(name, kind, options);

  async #applySources({ sources }: Configuration, { changes }: ConfigurationPlan): Promise<void> {
    for (const { name, kind, options } of sources)
      if (changes.some((each) => each.kind === 'source' && each.subject === name && isDue(each)))
        await this.#sources.configure(name, kind, options);
  }

  /** What places say of objects, and the kits. */
  async #applyRules({ kits }: Configuration, { changes }: ConfigurationPlan): Promise<void> {
    for (const { key } of [sourceLinks, kitSetting]) {
      const change = changes.find((each) => each.kind === 'setting' && each.subject === key && isDue(each));
      if (change !== undefined) await this.#settings.set(key, JSON.stringify(change.to));
    }
    if (kits.length > 0)
      await this.#db.transaction(WRITE, async (tx) => {
        for (const chosen of kits) await writeKitRules(tx, chosen);
      });
  }

  /** Applies the file, part by part: after a failure, repeat it. Refuses a file whose places disagree. */
  async apply(file: string, { only, ofKnown = false }: ApplyOptions = {}): Promise<AppliedConfiguration> {
    const configuration = readConfiguration(file);
    const plan = await this.#plan(configuration);
    const applies = (part: ConfigurationPart): boolean => only === undefined || only.includes(part);
    const [first] = plan.disagreements;
    if (first !== undefined)
      throw configurationErrors.config_contradictory(`contracts and patterns disagree: ${first}`, {
        facts: { disagreements: plan.disagreements.slice(0, LONGEST_PAGE) },
      });
    const { bodies, approval } = configuration.document;
    const names = Object.entries(bodies);
    if (names.length > 0 && applies('bodies'))
      await this.#db.transaction(WRITE, (tx) =>
        tx.run(writeBodies, {
          codes: names.map(([code]) => code),
          names: names.map(([, each]) => each.name),
        }),
      );
    const policy =
      approval === undefined || !applies('approval')
        ? undefined
        : await this.#settings.set(POLICY_KEY, JSON.stringify(approval.policy));
    if (applies('sources')) await this.#applySources(configuration, plan);
    if (applies('rules')) await this.#applyRules(configuration, plan);
    const requests = applies('gaps') ? await this.#requestGaps(configuration.document, plan, ofKnown) : [];
    await this.#db.transaction(WRITE, async (tx) => {
      const rows = await wantedRows(tx, configuration, {
        at: await readServerTime(tx),
        configOf: this.#configOf,
      });
      const keyed = rows.flatMap((each) => (each.key === null ? [] : [{ kind: each.kind, key: each.key }]));
      await tx.one(manage, { kinds: keyed.map((each) => each.kind), keys: keyed.map((each) => each.key) });
    });
    return { ...plan, requests, policyChanged: policy?.changed === true };
  }

  /** Requests the exceptions that do not exist yet; returns the requests that wait. */
  async #requestGaps(
    { accepted_gaps: gaps, baseline }: ConfigurationDocument,
    plan: ConfigurationPlan,
    ofKnown: boolean,
  ): Promise<readonly string[]> {
    const changes = new Map(
      plan.changes.flatMap((each) =>
        each.kind === 'exception' ? [[each.subject, each.change] as const] : [],
      ),
    );
    const requests: string[] = [];
    for (const gap of gaps) {
      const change = changes.get(gapText(gap));
      if (change === 'none') continue;
      const { scope, link } = gap;
      const requested = this.#exceptions.request(
        { subject: subjectOf(gap), scope, ...(link === undefined ? {} : { link }), until: endOf(gap) },
        // One that ends on another day is followed by one that ends as the file says.
        { reason: gap.reason, renew: change === 'change' },
      );
      const found = await requested.catch((error: unknown) => {
        if (ofKnown && hasCode(error, 'exception_subject_unknown')) return undefined;
        throw error;
      });
      if (found === undefined) continue;
      const { exception } = found;
      if (exception.status === 'waiting' && exception.approvalRef !== null)
        requests.push(exception.approvalRef);
    }
    if (baseline === undefined) return requests;
    const { approvalRef } = await this.#exceptions.requestListed(baseline.gaps, {
      until: endOf(baseline),
      reason: baseline.reason,
    });
    return approvalRef === null ? requests : [...requests, approvalRef];
  }
}
