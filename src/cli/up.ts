// `gcos up`: from an empty database to a running installation, in one repeatable command: server, demo estate
// on request, schema, and a summary with suggestions.
import type { Command } from 'commander';
import {
  DEMO_OBJECTS,
  DEMO_PEOPLE,
  FULL_SIZE,
  isEstate,
  provideActors,
  provideCaveats,
  provideException,
} from '../demo/index.js';
import type { DoctorReport, Gcos, Status } from '../index.js';
import { hasCode } from '../kernel/index.js';
import { backfillWithProgress, isClosed } from './backfill.js';
import { type Context, makeCommand, type Outcome, runCommand, withGcos } from './command.js';
import {
  buildWithProgress,
  type EstateFlags,
  embeddedOption,
  parseRows,
  requireDemoTarget,
  yesOption,
} from './demo.js';
import { cliErrors } from './errors.js';
import { alignColumns, formatCount, type Output } from './output.js';
import { driftLines, noteDrift } from './ruleset-drift.js';
import { isScanClosed, scanWithProgress } from './scan.js';
import { type ServeFlags, serverHostOption, serverPortOption, serveUntilInterrupted } from './serve.js';
import { statusLines } from './status.js';
import { type Answers, answerLines, readAnswers } from './up-answers.js';
import { workUntilInterrupted } from './worker.js';

interface UpFlags extends EstateFlags, Pick<ServeFlags, 'port' | 'host'> {
  readonly demo?: boolean;
  readonly rows?: number;
  readonly stay?: boolean;
  readonly backfill?: boolean;
}

/** What to look at next; only a demo estate has objects with known names. */
function nextLines(demo: boolean): string[] {
  const { collection, code } = DEMO_OBJECTS.blocked;
  const object = demo ? `${collection} ${code}` : 'COLLECTION CODE';
  const commands = [
    ['npx gcos doctor', 'every host table, the trial writes, the privileges'],
    ['npx gcos ledger show', 'every object accounted for, scope by scope'],
    [`npx gcos explain ${object}`, 'the verdict of one object, and its reasons'],
    ['npx gcos finding list --by-fix', 'fixes, by the number of objects that wait for them'],
    [`npx gcos gate check ${object}`, 'whether it may go to production, why not, and who can fix it'],
    ...(demo
      ? [
          ['docs/tutorial.md', '15 minutes: a birth, a gate check, an exception, a change of rules'],
          ['npx gcos db psql', 'explore the estate; docs/demo-estate.md describes it'],
        ]
      : []),
  ];
  return alignColumns(commands.map(([command, why]) => [`  ${command}`, why ?? '']));
}

async function provideHost(gcos: Gcos, { config, out }: Context, flags: UpFlags): Promise<void> {
  const { inventory } = await gcos.status();
  if (inventory === 'present') {
    const estate = await isEstate(gcos.db);
    if (flags.demo && !estate && config.target.kind !== 'embedded')
      throw cliErrors.demo_target_configured('the configured database has a host that is not a demo estate', {
        help: 'omit --demo to install GCOS next to that host, or use --embedded',
      });
    out.note(estate ? 'demo estate: already built' : 'host: found');
    return;
  }
  if (!flags.demo) throw cliErrors.host_missing('there is no `birth_registry` in this database');
  await buildWithProgress(gcos, out, flags.rows === undefined ? {} : { rows: flags.rows });
}

async function provideSchema(gcos: Gcos, out: Output): Promise<void> {
  const { schema } = await gcos.status();
  if (schema === 'older') {
    const { applied } = await gcos.upgrade();
    out.note(`GCOS schema: upgraded, ${applied.length} migrations applied`);
    return;
  }
  const { outcome } = await gcos.init();
  out.note(`GCOS schema: ${outcome === 'installed' ? 'installed' : 'already installed'}`);
}

async function providePeople(gcos: Gcos, out: Output): Promise<void> {
  const people = await provideActors(gcos.db);
  if (people.length > 0) out.note(`people to decide with (--as NAME): ${people.join(', ')}`);
}

/** Only the first snapshot: operators or scans take later ones. */
async function provideSnapshot(gcos: Gcos, out: Output): Promise<void> {
  const { snapshots } = await gcos.snapshots.list({ limit: 1 });
  const [last] = snapshots;
  if (last !== undefined) {
    out.note(`snapshot: ${last.id}, ${last.kind}, taken before`);
    return;
  }
  const { id, document } = await gcos.snapshots.capture({ kind: 'full' });
  const { objects, groups } = document.totals;
  out.note(`snapshot: ${id}, ${formatCount(BigInt(objects))} births in ${formatCount(groups)} groups`);
}

/** Only once: the tail takes in later births. Returns false if the ledger does not close. */
async function provideBackfill(gcos: Gcos, context: Context): Promise<boolean> {
  const { phase } = await gcos.backfills.status();
  if (phase === 'tailing') {
    context.out.note('backfill: completed before');
    return true;
  }
  // On its own connections: Ctrl-C must not interrupt it before it has released its leases.
  const inGoodOrder = { stopsGracefully: true };
  return withGcos(context, async (own) => isClosed(await backfillWithProgress(own, context)), inGoodOrder);
}

/**
 * The first full scan: it evaluates coverage, so that the ledger shows the verified share. Returns false if
 * the ledger does not close.
 */
async function provideScan(gcos: Gcos, context: Context): Promise<boolean> {
  if ((await gcos.backfills.status()).phase !== 'tailing') return true;
  const { runs } = await gcos.scans.status();
  if (runs.some((each) => each.mode === 'full' && each.status === 'completed')) {
    context.out.note('full scan: completed before');
    return true;
  }
  const inGoodOrder = { stopsGracefully: true };
  return withGcos(
    context,
    async (own) => isScanClosed(await scanWithProgress(own, context, 'full')),
    inGoodOrder,
  );
}

async function provideRuleset(gcos: Gcos, out: Output, demo: boolean): Promise<void> {
  const { version, created, status } = await gcos.rulesets.draft();
  out.note(`ruleset: ${version}, ${created ? 'drafted' : status === 'draft' ? 'drafted before' : status}`);
  if (!demo || !(await isEstate(gcos.db)) || (await gcos.plans.plan()).from !== null) return;
  const { code, plan } = await gcos.plans.propose({ as: DEMO_PEOPLE.proposer });
  for (const as of DEMO_PEOPLE.approvers) await gcos.requests.approve(code, { as });
  await gcos.plans.activate(plan.to, code, { as: DEMO_PEOPLE.operator });
  const approvers = DEMO_PEOPLE.approvers.map((name) => `${name} (unverified identity)`).join(', ');
  out.note(`ruleset: in force by ${code}, approved by ${approvers}`);
}

/** An exception that was approved and has expired; it needs existing verdicts. */
async function provideDemoException(gcos: Gcos, out: Output): Promise<void> {
  if ((await gcos.backfills.status()).phase !== 'tailing') return;
  const code = await provideException(gcos);
  if (code !== undefined) out.note(`exception: ${code}, approved, and expired since`);
}

/** The tables with their sizes, in two columns. */
function tableLines(report: DoctorReport): string[] {
  const cells = report.lines
    .filter((line) => line.rows !== undefined)
    .map((line) => [`  ${line.subject}`, formatCount(line.rows ?? 0n)]);
  const half = Math.ceil(cells.length / 2);
  return alignColumns(
    cells.slice(0, half).map((cell, index) => [...cell, ...(cells[half + index] ?? ['', ''])]),
  );
}

function summaryLines(
  report: DoctorReport,
  status: Status,
  answers: Answers | undefined,
  { out, demo }: { readonly out: Output; readonly demo: boolean },
): string[] {
  const remarks = report.lines.filter(
    (line) => line.state === 'problem' || line.state === 'degraded' || line.state === 'warning',
  );
  return [
    out.tone('bold', 'Host tables (rows estimated from the statistics of the server)'),
    ...tableLines(report),
    '',
    `${out.tone('bold', 'Doctor:')} ${out.tone(report.usable ? 'good' : 'bad', report.verdict)}`,
    ...remarks.map((line) => `  ${line.subject}: ${line.detail}`),
    '',
    out.tone('bold', 'What GCOS knows'),
    ...statusLines(status, out).map((line) => (line === '' ? line : `  ${line}`)),
    '',
    ...(answers === undefined ? [] : answerLines(answers, out)),
    out.tone('bold', 'Try next'),
    ...nextLines(demo),
  ];
}

/** A token for the first minute, as the person of this login, and a link that signs a browser in with it. */
async function provideToken(gcos: Gcos): Promise<{ token: string; link: string } | undefined> {
  try {
    const permissions = ['read', 'gate'] as const;
    const { id, token } = await gcos.tokens.create({ name: 'gcos up', permissions, days: 1 });
    const { link } = await gcos.sessions.createLink(id);
    return { token, link };
  } catch (error) {
    if (hasCode(error, 'actor_unknown')) return undefined;
    throw error;
  }
}

/**
 * Serves and works until the command is interrupted; the embedded server runs as long as a process uses it.
 */
async function stayUntilInterrupted(gcos: Gcos, context: Context, flags: UpFlags): Promise<void> {
  const { out, signal } = context;
  const staying = () => out.note('staying up, with a worker; Ctrl-C stops');
  if (signal.aborted) return;
  if (flags.port === 'off') {
    staying();
    // On its own connections: Ctrl-C must not interrupt a worker that is releasing its leases.
    await withGcos(context, (own) => workUntilInterrupted(own, context, flags), { stopsGracefully: true });
    return;
  }
  const first = flags.demo ? await provideToken(gcos) : undefined;
  await serveUntilInterrupted(context, flags, {
    worker: true,
    anyPort: true,
    onListening: (url) => {
      out.note(`serving ${url}/api/v1 (docs/api.md)`);
      if (first !== undefined) {
        out.note(`try it, for a day: curl -H 'Authorization: Bearer ${first.token}' ${url}/api/v1/status`);
        out.note(`the console; the link works once, within ten minutes: ${url}/#link=${first.link}`);
      }
      staying();
    },
  });
}

async function up(context: Context, flags: UpFlags, onStay: () => void): Outcome {
  if (flags.demo) requireDemoTarget(context, flags);
  return withGcos(context, async (gcos) => {
    await provideHost(gcos, context, flags);
    await provideSchema(gcos, context.out);
    if (flags.demo) await providePeople(gcos, context.out);
    if (flags.demo) await provideCaveats(gcos.db);
    const report = await gcos.doctor();
    if (report.usable) await provideSnapshot(gcos, context.out);
    if (report.usable) await provideRuleset(gcos, context.out, flags.demo === true);
    if (report.usable) for (const line of driftLines(await noteDrift(gcos))) context.out.note(line);
    const closed = !report.usable || flags.backfill === false || (await provideBackfill(gcos, context));
    if (flags.demo && report.usable) await provideDemoException(gcos, context.out);
    const scanned = !report.usable || flags.backfill === false || (await provideScan(gcos, context));
    const status = await gcos.status();
    const demo = await isEstate(gcos.db);
    const answers = report.usable ? await readAnswers(gcos, demo) : undefined;
    context.out.result({ doctor: report, status, ...answers }, () =>
      summaryLines(report, status, answers, { out: context.out, demo }),
    );
    if (!report.usable) return 4;
    if (flags.stay) {
      onStay();
      await stayUntilInterrupted(gcos, context, flags);
    }
    return closed && scanned ? undefined : 2;
  });
}

export function upCommand(): Command {
  return makeCommand('up', 'set everything up: server, schema, demo estate on request; then show a summary')
    .option('--demo', 'build the demo estate if the database has no host tables')
    .option('--rows <n>', `with --demo: how many births (default ${formatCount(FULL_SIZE)})`, parseRows)
    .addOption(embeddedOption())
    .addOption(yesOption())
    .option('--no-backfill', 'skip the backfill')
    .option('--stay', 'keep a server and a worker running until Ctrl-C')
    .addOption(serverPortOption())
    .addOption(serverHostOption())
    .action((flags: UpFlags) => {
      // From then on a stop is what ends the command, as it is for `gcos worker run`.
      let stays = false;
      const onStay = () => {
        stays = true;
      };
      return runCommand(flags, (context) => up(context, flags, onStay), { stopIsSuccess: () => stays });
    });
}
