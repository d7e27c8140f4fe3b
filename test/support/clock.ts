// The time that GCOS decides by. Only a superuser can change it, by replacing the function gcos_now().
import { asHost } from './database.js';

const replaceClock = (url: string, expression: string) =>
  asHost(
    url,
    `create or replace function gcos_trust.gcos_now() returns timestamptz language sql volatile return ${expression}`,
  );

/**
 * Sets the clock of the database at `url`: to a fixed time (`{ at }`), or to one that runs, ahead of the
 * server's clock by an interval (`{ ahead: '11 minutes' }`; negative: behind it).
 */
export async function setClock(
  url: string,
  to: { readonly at: string } | { readonly ahead: string },
): Promise<void> {
  const text = (value: string) => value.replaceAll("'", "''");
  await replaceClock(
    url,
    'at' in to
      ? `timestamptz '${text(to.at)}'`
      : `pg_catalog.clock_timestamp() + interval '${text(to.ahead)}'`,
  );
}

/** Back to the server's clock. */
export async function resetClock(url: string): Promise<void> {
  await replaceClock(url, 'pg_catalog.clock_timestamp()');
}
