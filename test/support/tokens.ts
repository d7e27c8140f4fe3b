// A client that presents tokens by psql, as an attacker with the login of `gcos serve` does.
import { createHash } from 'node:crypto';
import pg from 'pg';

/** What the database is given for a token. */
export const presentedForm = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Presents `token` in the transaction that `client` has open. */
export const present = (
  client: pg.Client,
  token: string,
  permission: string,
  scope: string | null = null,
  owner: string | null = null,
): Promise<pg.QueryResult> =>
  client.query('select gcos_present($1, $2, $3, $4)', [presentedForm(token), permission, scope, owner]);

/** Runs `work` on a connection of its own to `url`. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set search_path = gcos_trust, public');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What `text` returns in a transaction that presented `token`, which is committed. */
export const actBy = (
  url: string,
  token: string,
  permission: string,
  text: string,
  begin = 'begin',
): Promise<pg.QueryResultRow[]> =>
  withClient(url, async (client) => {
    await client.query(begin);
    await present(client, token, permission);
    const { rows } = await client.query<pg.QueryResultRow>(text);
    await client.query('commit');
    return rows;
  });
