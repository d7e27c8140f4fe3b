// Owns the pool of the driver and its connections.
import pg from 'pg';
import { PooledClient } from './connection.js';
import type { DatabaseOptions } from './database.js';
import { connectionOf } from './tls.js';
import { wireTypes } from './value.js';

/** A pool, and what makes a connection besides it. Every connection is in `connections` until it ends. */
export function openPool(
  { target, tls, poolSize, connectTimeoutMs }: DatabaseOptions,
  connections: Set<PooledClient>,
): { readonly pool: pg.Pool; readonly keeper: () => PooledClient } {
  class TrackedClient extends PooledClient {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      connections.add(this);
      this.once('end', () => connections.delete(this));
    }
  }
  const driver = (name: string) => ({
    ...connectionOf(target, tls).driver,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: name,
    types: wireTypes as pg.CustomTypesConfig,
  });
  const pool = new pg.Pool({
    ...driver('gcos'),
    Client: TrackedClient,
    max: poolSize,
    idleTimeoutMillis: 10_000,
  });
  // These listeners do nothing: the pool drops a broken connection, and its user gets the error from the
  // statement. Without listeners, Node would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, keeper: () => new TrackedClient(driver('gcos moments')) };
}
