// How much of an activation one call carries. Only a superuser can change it, by replacing the function.
import { asHost } from './database.js';

export const carryPaceSql = (rows: number, lasting: string): string =>
  `create or replace function gcos_trust.gcos_carry_pace() returns table (page_rows integer, lasting interval)
     language plpgsql immutable rows 1 set search_path = pg_catalog, pg_temp
     as 'begin return query select ${rows}, interval ''${lasting}''; end'`;

/** From now on each call of an activation in the database at `url` carries one page, of `rows` rows. */
export async function carryInPages(url: string, rows: number): Promise<void> {
  await asHost(url, carryPaceSql(rows, '0'));
}

/** From now on one call of an activation in the database at `url` carries everything, however slow it is. */
export async function carryAtOnce(url: string): Promise<void> {
  await asHost(url, carryPaceSql(5_000, '1 hour'));
}
