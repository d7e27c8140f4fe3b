// `gcos govern`: from a database that knows nothing of GCOS to a closed ledger, in one repeatable command.
// Nothing is written to the database that is read.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { readConfiguration } from '../answer/configuration/index.js';
import { kit as requireKit } from '../source/kit/index.js';
import { requireSourceName } from '../source/object/index.js';
import { hasPassword, withoutPassword } from '../source/postgres/index.js';
import {
  type CommonFlags,
  type Context,
  makeCommand,
  type Outcome,
  runCommand,
  withGcos,
} from './command.js';
import { cliErrors } from './errors.js';
import { acceptToday, baselineLines } from './govern-baseline.js';
import { checkEstate } from './govern-check.js';
import { type Estate, governEstate } from './govern-run.js';
import { estateLines } from './govern-text.js';
import { given } from './page.js';
import { type FormatFlags, formatOption, withFormat } from './report.js';
import { isScanClosed } from './scan.js';

interface GovernFlags extends FormatFlags {
  readonly home?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly kit?: string;
  readonly acceptShrink?: boolean;
  readonly check?: boolean;
  readonly config?: string;
  readonly baseline?: boolean;
  readonly renew?: boolean;
}

/** The file that is read if there is one. */
const FILE = 'gcos.yaml';

/** A value that is wrong is refused before a home is created. */
function locationOf(text: string): string {
  if (/^(env|file):./.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text))) return text;
  // Whatever looks like a part of a URL may hold a password.
  const shown = /[@:]/.test(text) ? 'the location' : `\`${text}\``;
  throw cliErrors.usage_invalid(
    `${shown} is neither a URL such as postgresql://reader@db.internal/shop, nor env:NAME, nor file:PATH`,
  );
}
function sourceName(text: string): string {
  requireSourceName(text);
  return text;
}
const kitName = (text: string): string => requireKit(text).name;

/** The address that a location stands for, if it can be told without reading a file. */
function addressIn(location: string): string {
  const [, variable] = /^env:(.+)$/.exec(location) ?? [];
  return variable === undefined ? location : (process.env[variable] ?? '');
}

/** The name of a database as the name of a source. */
function nameFrom(location: string): string {
  const address = addressIn(location);
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
  const address = addressIn(location);
  if (home === undefined || !URL.canParse(home) || !URL.canParse(address)) return;
  const [one, other] = [new URL(home), new URL(address)];
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
  const { kind, kit, acceptShrink } = flags;
  const file = flags.config ?? FILE;
  // Only a baseline may begin the file that is named.
  const config = existsSync(file) || (flags.config !== undefined && !flags.baseline) ? file : undefined;
  // A file that cannot be read is refused before a home is created.
  if (config !== undefined) readConfiguration(config);
  const estate: Estate = { location, name, ...given({ kind, kit, acceptShrink, config }) };
  if (flags.check) return checkEstate(context, flags, estate);
  const [done, baseline] = await withGcos(context, async (gcos) => {
    const governed = await governEstate(gcos, context, estate);
    if (!flags.baseline) return [governed, undefined] as const;
    const options = { file, renew: flags.renew === true };
    return acceptToday(gcos, context, governed, options);
  });
  if (hasPassword(location))
    context.out.note(
      `the password was used for this run and is not stored: for a worker, put the address into a variable and add the source as env:NAME`,
    );
  const { scan, ...rest } = done;
  const { runId, evaluated, changed } = scan;
  context.out.result({ ...rest, scan: { runId, evaluated, changed }, baseline: baseline ?? null }, () => [
    ...estateLines(done, withoutPassword(location), context.out),
    ...(baseline === undefined ? [] : baselineLines(baseline)),
  ]);
  return isScanClosed(scan) && done.ledger.closes ? undefined : 2;
}

export function governCommand(): Command {
  return makeCommand(
    'govern',
    'account for a PostgreSQL database or a Directus project: read it, write nothing to it, and say what would help most',
  )
    .argument('<location>', 'the database to read: a URL, env:NAME or file:PATH', locationOf)
    .option('--home <url>', 'where GCOS keeps what it knows (default: its embedded server)')
    .option('--name <name>', 'what to call the source (default: the name of the database)', sourceName)
    .addOption(
      new Option(
        '--kind <kind>',
        'what to read (default: a Directus project if there is one, else the catalogs)',
      ).choices(['postgres', 'directus']),
    )
    .option('--kit <kit>', 'the rules to begin with (default: the baseline of the kind)', kitName)
    .option('--accept-shrink', 'record objects as gone in any number')
    .option(
      '--check',
      'evaluate in a temporary home that is deleted afterwards; exit 2 if the gate blocks anything',
    )
    .option('--config <file>', 'governance as code (default: gcos.yaml in this folder, if it is there)')
    .option(
      '--baseline',
      'accept what is lacking today for 90 days, and list it in gcos.yaml; again: the list shrinks',
    )
    .option('--renew', 'with --baseline: begin another one, of what is lacking today')
    .addOption(formatOption())
    .action((location: string, flags: GovernFlags) => {
      const home = flags.home ?? flags.databaseUrl;
      const where: CommonFlags = home === undefined ? { embedded: true } : { databaseUrl: home };
      return runCommand({ ...withFormat(flags), ...where }, (context) => {
        requireOther(home, location);
        if (flags.renew && !flags.baseline) throw cliErrors.usage_invalid('--renew is for --baseline');
        if (flags.baseline && flags.check)
          throw cliErrors.usage_invalid('--check writes no file: use --baseline without it');
        if (!flags.check && flags.format !== undefined && flags.format !== 'text' && flags.format !== 'json')
          throw cliErrors.usage_invalid('--format is for --check');
        return govern(context, location, flags);
      });
    });
}
