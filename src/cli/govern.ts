// `gcos govern`: from a database that knows nothing of GCOS to a closed ledger, in one repeatable command:
// home, source, rules of a kit, sync, scan, and the report. Nothing is written to the database that is read.
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { EstateReport, Gcos, Ledger, ScanReport, ShownLedger, SyncReport } from '../index.js';
import { hasPassword, withoutPassword } from '../source/postgres/index.js';
import { backfillWithProgress, isClosed } from './backfill.js';
import {
  type CommonFlags,
  type Context,
  makeCommand,
  type Outcome,
  runCommand,
  withGcos,
} from './command.js';
import { cliErrors } from './errors.js';
import { checkEstate } from './govern-check.js';
import { estateLines } from './govern-text.js';
import { given } from './page.js';
import { type FormatFlags, formatOption, withFormat } from './report.js';
import { isScanClosed, scanWithProgress } from './scan.js';
import { syncWithProgress } from './source.js';

interface GovernFlags extends FormatFlags {
  readonly home?: string;
  readonly name?: string;
  readonly kit: string;
  readonly acceptShrink?: boolean;
  readonly check?: boolean;
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

/** The way from the address of an estate to its report. */
export async function governEstate(
  gcos: Gcos,
  context: Context,
  {
    location,
    name,
    kit,
    acceptShrink,
  }: { location: string; name: string } & Pick<GovernFlags, 'kit' | 'acceptShrink'>,
): Promise<Governed> {
  const started = performance.now();
  await provideHome(gcos, context);
  const shown = await gcos.ledgers.show();
  const stored = withoutPassword(location);
  await gcos.sources.add(name, 'postgres', { location: stored });
  await gcos.estates.provideRules(kit);
  const sync = await syncWithProgress(
    gcos,
    context,
    name,
    given({ acceptShrink, address: stored === location ? undefined : location }),
  );
  const ruleset = await provideRuleset(gcos, context);
  const scan = await evaluate(context, ruleset.activated || !isRecent(shown));
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

/** The name of a database as the name of a source. */
function nameFrom(location: string): string {
  const [, variable] = /^env:(.+)$/.exec(location) ?? [];
  const address = variable === undefined ? location : (process.env[variable] ?? '');
  const path = URL.canParse(address) ? basename(decodeURIComponent(new URL(address).pathname)) : '';
  const name = path
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 24);
  if (name !== '') return name;
  throw cliErrors.usage_invalid(
    'the address names no database to call the source after: add --name, such as --name shop',
  );
}

/** INVARIANT: the database that is read is never the one that GCOS writes. */
function requireOther(home: string | undefined, location: string): void {
  if (home === undefined || !URL.canParse(home) || !URL.canParse(location)) return;
  const [one, other] = [new URL(home), new URL(location)];
  if (
    one.hostname === other.hostname &&
    (one.port || '5432') === (other.port || '5432') &&
    one.pathname === other.pathname
  )
    throw cliErrors.usage_invalid(
      '--home names the database that is to be read: GCOS writes nothing there; name another one, or omit --home',
    );
}

async function govern(context: Context, location: string, flags: GovernFlags): Outcome {
  const name = flags.name ?? nameFrom(location);
  const { kit, acceptShrink } = flags;
  const options = { location, name, kit, ...given({ acceptShrink }) };
  if (flags.check) return checkEstate(context, flags, (gcos, own) => governEstate(gcos, own, options));
  const done = await withGcos(context, (gcos) => governEstate(gcos, context, options));
  if (hasPassword(location))
    context.out.note(
      `the password was used for this run and is not stored: for a worker, put the address into a variable and add the source as env:NAME`,
    );
  const { scan, ...rest } = done;
  const { runId, evaluated, changed } = scan;
  context.out.result({ ...rest, scan: { runId, evaluated, changed } }, () =>
    estateLines(done, withoutPassword(location), context.out),
  );
  return isScanClosed(scan) && done.ledger.closes ? undefined : 2;
}

export function governCommand(): Command {
  return makeCommand(
    'govern',
    'account for a PostgreSQL database: read it, write nothing to it, and say what would help most',
  )
    .argument('<location>', 'the database to read: a URL, env:NAME or file:PATH')
    .option('--home <url>', 'where GCOS keeps what it knows (default: its embedded server)')
    .option('--name <name>', 'what to call the source (default: the name of the database)')
    .option('--kit <kit>', 'the rules to begin with', 'postgres-baseline')
    .option('--accept-shrink', 'record objects as gone in any number')
    .option(
      '--check',
      'evaluate in a temporary home that is deleted afterwards; exit 2 if the gate blocks anything',
    )
    .addOption(formatOption())
    .action((location: string, flags: GovernFlags) => {
      const home = flags.home ?? flags.databaseUrl;
      const where: CommonFlags = home === undefined ? { embedded: true } : { databaseUrl: home };
      return runCommand({ ...withFormat(flags), ...where }, (context) => {
        requireOther(home, location);
        if (!flags.check && flags.format !== undefined && flags.format !== 'text' && flags.format !== 'json')
          throw cliErrors.usage_invalid('--format is for --check');
        return govern(context, location, flags);
      });
    });
}
