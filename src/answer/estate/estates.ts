// Owns the operations on a governed estate: give its home rules, and report on it.
import type { Database, Prober } from '../../db/index.js';
import { type Installation, readRulesInForce } from '../../host/index.js';
import { unknownName } from '../../kernel/index.js';
import { readActive } from '../../rule/ruleset/index.js';
import { sourceErrors } from '../../source/object/index.js';
import { estateErrors } from './errors.js';
import { readFlaws } from './flaw.js';
import { readGaps } from './gap.js';
import { countClasses, readEstate, readNotRead, readUnits } from './home.sql.js';
import type { EstateReport } from './report.js';
import { type ProvidedRules, provideRules } from './rules.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 60_000 } as const;
const WRITE = { isolation: 'read committed', retries: 3 } as const;

export class Estates {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #prober: () => Promise<Prober | undefined>;

  /** @internal */
  constructor(db: Database, installation: Installation, prober: () => Promise<Prober | undefined>) {
    this.#db = db;
    this.#installation = installation;
    this.#prober = prober;
  }

  /**
   * Writes the rules of a kit into the tables of rules, and before the first ruleset what a small team begins
   * with: its person, a body and the approval policy. Repeating it changes nothing.
   */
  async provideRules(kit: string): Promise<ProvidedRules> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(WRITE, async (tx) =>
      provideRules(tx, kit, { first: (await readActive(tx)) === undefined }),
    );
  }

  /** What a source holds, what its units lack by the last scan, and what the detectors list. */
  async report(name: string): Promise<EstateReport> {
    await this.#installation.requireInstalled();
    const found = await this.#db.transaction(READ_ONLY, async (tx) => {
      const [source] = await tx.run(readEstate, { name });
      if (source === undefined)
        throw unknownName(name, { what: 'source', known: [], error: sourceErrors.source_unknown });
      if (source.read_at === null)
        throw estateErrors.estate_not_read(`\`${name}\` was never read completely`);
      const { source_id: sourceId, read_at: readAt, owner } = source;
      return {
        sourceId,
        readAt,
        classes: await tx.run(countClasses, { sourceId }),
        units: await tx.run(readUnits, { sourceId }),
        notRead: await tx.run(readNotRead, { sourceId }),
        ...(await readGaps(tx, sourceId, owner ?? `team-${name.replaceAll('_', '-')}`)),
        rules: await readRulesInForce(tx),
      };
    });
    const { sourceId, readAt, classes, units, notRead, gaps, lacks, rules } = found;
    return {
      source: name,
      readAt,
      classes: classes.map((each) => ({ class: each.object_class, objects: Number(each.objects) })),
      units: units.map(({ object_class, collection, code }) => ({ class: object_class, collection, code })),
      notRead,
      gaps,
      lacks,
      ...(await readFlaws(await this.#prober(), rules, sourceId)),
    };
  }
}
