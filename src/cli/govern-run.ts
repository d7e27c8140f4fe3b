// Owns one run of `gcos govern`: home, source, rules of a kit, sync, scan, and what is known then.
// INVARIANT: the database that is read is only read; repeating a run writes what changed.
import type { EstateReport, Gcos, Ledger, ScanReport, ShownLedger, SyncReport } from '../index.js';
import { requireLocation, withoutPassword } from '../source/postgres/index.js';
import { backfillWithProgress, isClosed } from './backfill.js';
import { type Context, withGcos } from './command.js';
import { cliErrors } from './errors.js';
import { given } from './page.js';
import { scanWithProgress } from './scan.js';
import { syncWithProgress } from './source.js';

/** What to govern. */
export interface Estate {
  /** A URL, env:NAME or file:PATH. */
  readonly location: string;
  /** What to call the source. */
  readonly name: string;
  /** Undefined: the kind of the source of this name, else the one that recognizes the database. */
  readonly kind?: string;
  /** Undefined: the kit of the kind. */
  readonly kit?: string;
  readonly acceptShrink?: boolean;
  /** The path of a gcos.yaml. */
  readonly config?: string;
  /** The home is deleted afterwards: it has no sources of its own, and the file accepts gaps by itself. */
  readonly temporary?: boolean;
}

/** What one run did, and what is known after it. */
export interface Governed {
  readonly sync: SyncReport;
  readonly scan: ScanReport;
  /** Whether rules were put into force, and their version. */
  readonly ruleset: { readonly version: string; readonly activated: boolean };
  /** The ledger before this run; null: there was none. */
  readonly before: ShownLedger | null;
  /** As counted after this run. */
  readonly ledger: Ledger;
  readonly estate: EstateReport;
  readonly seconds: number;
}

async function provideHome(gcos: Gcos, { out }: Context): Promise<void> {
  const { schema, inventory } = await gcos.status();
  if (schema === 'older') await gcos.upgrade();
  if (schema !== 'absent') return;
  const { outcome } = await gcos.init(inventory === 'absent' ? { with: ['host'] } : {});
  out.note(`home: ${outcome === 'installed' ? 'created' : 'found'}`);
}

/** Puts the rules in the tables into force with the approval of this login. */
async function provideRuleset(gcos: Gcos, { out }: Context): Promise<Governed['ruleset']> {
  const { version, status } = await gcos.rulesets.draft();
  if (status === 'active') return { version, activated: false };
  const { code, plan } = await gcos.plans.propose();
  await gcos.requests.approve(code);
  await gcos.plans.activate(plan.to, code);
  out.note(`ruleset: ${plan.to} is in force by ${code}, approved by the login that proposed it`);
  return { version: plan.to, activated: true };
}

/** A ledger that is older is closed again: everything is evaluated, and the detectors run. */
const LEDGER_HOURS = 24;
const serverTime = (text: string): number => Date.parse(text.replace(' ', 'T').replace(/\+00$/, 'Z'));
const isRecent = ({ closed, closedAt, at }: ShownLedger): boolean =>
  closed && closedAt !== null && serverTime(at) - serverTime(closedAt) < LEDGER_HOURS * 3_600_000;

/** Takes in what changed, and evaluates it. On its own connections: Ctrl-C must not keep its leases. */
const evaluate = (context: Context, everything: boolean): Promise<ScanReport> =>
  withGcos(
    context,
    async (gcos) => {
      if ((await gcos.backfills.status()).phase === 'tailing')
        await gcos.intakes.once({ signal: context.signal });
      else if (!isClosed(await backfillWithProgress(gcos, context)))
        throw cliErrors.ledger_open('the first ledger of this home does not close');
      return scanWithProgress(gcos, context, everything ? 'full' : 'incremental');
    },
    { stopsGracefully: true },
  );

/** The kit that a source of each kind begins with. */
const KITS: Readonly<Record<string, string>> = {
  postgres: 'postgres-baseline',
  directus: 'directus-baseline',
};

/** The kind that the source has already, else the one that recognizes the database. */
async function kindOf(
  gcos: Gcos,
  name: string,
  location: string,
  address: string | undefined,
): Promise<string> {
  const known = (await gcos.sources.list()).find((each) => each.name === name && each.status === 'active');
  return known?.kind ?? (await gcos.sources.recognize({ location }, given({ address }))) ?? 'postgres';
}

/**
 * Requests the exceptions for what gcos.yaml accepts, approves those that `approves` names, and evaluates
 * what they change. Returns whether there were any.
 */
export async function acceptGaps(
  gcos: Gcos,
  context: Context,
  { config, approves }: { readonly config: string; readonly approves: boolean },
): Promise<boolean> {
  const { requests } = await gcos.configurations.apply(config, { only: ['gaps'], ofKnown: true });
  if (!approves) {
    for (const code of requests) context.out.note(`${code} waits: \`gcos request show ${code}\``);
    return false;
  }
  for (const code of requests) await gcos.requests.approve(code);
  if (requests.length === 0) return false;
  await evaluate(context, false);
  return true;
}

/** What gcos.yaml says before anything is read. */
async function applyFile(gcos: Gcos, { config, temporary }: Estate): Promise<void> {
  if (config === undefined) return;
  await gcos.configurations.apply(config, {
    only: temporary ? ['bodies', 'rules'] : ['bodies', 'approval', 'sources', 'rules'],
  });
}

/** The way from the address of an estate to its report. */
export async function governEstate(gcos: Gcos, context: Context, estate: Estate): Promise<Governed> {
  const { location, name, kind: asked, kit, acceptShrink, config, temporary = false } = estate;
  const started = performance.now();
  // Before anything is created.
  requireLocation(location);
  await provideHome(gcos, context);
  const shown = await gcos.ledgers.show();
  const stored = withoutPassword(location);
  const address = stored === location ? undefined : location;
  const kind = asked ?? (await kindOf(gcos, name, stored, address));
  await gcos.estates.provideRules(kit ?? KITS[kind] ?? 'postgres-baseline');
  await applyFile(gcos, estate);
  await gcos.sources.add(name, kind, { location: stored });
  const sync = await syncWithProgress(gcos, context, name, given({ acceptShrink, address }));
  const ruleset = await provideRuleset(gcos, context);
  const scan = await evaluate(context, ruleset.activated || !isRecent(shown));
  if (config !== undefined) await acceptGaps(gcos, context, { config, approves: temporary });
  return {
    sync,
    scan,
    ruleset,
    before: shown.closed ? shown : null,
    ledger: await gcos.ledgers.verify(),
    estate: await gcos.estates.report(name),
    seconds: (performance.now() - started) / 1_000,
  };
}
