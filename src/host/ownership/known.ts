// Owns which scopes, owners and collections the host knows, so that a name that does not exist is an error
// and never an empty list. A name that the host no longer lists may still occur in rows of GCOS: the caller
// gives those.
import type { Transaction } from '../../db/index.js';
import { requireKnown } from '../../kernel/index.js';
import { listBodies, listCollections, listOwners, listScopeCodes, listScopeDefaults } from './known.sql.js';
import { usable } from './ownership.js';

/** Names that occur in rows of GCOS; read only if the host does not list the name. */
export type Occurring = (tx: Transaction) => Promise<readonly string[]>;

async function requireListed(
  tx: Transaction,
  what: string,
  name: string,
  listed: readonly string[],
  occurring: Occurring,
): Promise<void> {
  if (listed.includes(name)) return;
  requireKnown(name, { what, known: [...new Set([...listed, ...(await occurring(tx))])] });
}

const none: Occurring = async () => [];
/** The scope of a host without scopes. */
const ONLY_SCOPE = 'all';

/** Throws if neither the host nor a row of GCOS has the responsibility scope. */
export async function requireScope(tx: Transaction, scope: string, occurring = none): Promise<void> {
  const rows = (await usable(tx)).has('scopes') ? await tx.run(listScopeCodes, {}) : [{ scope: ONLY_SCOPE }];
  await requireListed(
    tx,
    'scope',
    scope,
    rows.map((row) => row.scope),
    occurring,
  );
}

/** The bodies that the host lists, that own something or are the contact of a scope. */
async function listedOwners(tx: Transaction): Promise<readonly string[]> {
  const parts = await usable(tx);
  const bodies = parts.has('bodies') ? (await tx.run(listBodies, {})).map((row) => row.code) : [];
  const owners = parts.has('ownership') ? (await tx.run(listOwners, {})).map((row) => row.owner) : [];
  const contacts = parts.has('scopes') ? (await tx.run(listScopeDefaults, {})).map((row) => row.owner) : [];
  return [...new Set([...bodies, ...owners, ...contacts])];
}

/** Throws if neither the host nor a row of GCOS names the owner. */
export async function requireOwner(tx: Transaction, owner: string, occurring = none): Promise<void> {
  await requireListed(tx, 'owner', owner, await listedOwners(tx), occurring);
}

/** Throws if no owner, no person and no row of GCOS has the name of the recipient. */
export async function requireKnownRecipient(
  tx: Transaction,
  recipient: string,
  occurring: Occurring,
): Promise<void> {
  await requireListed(tx, 'recipient', recipient, await listedOwners(tx), occurring);
}

/** Throws if neither the host nor a row of GCOS has the collection. */
export async function requireCollection(
  tx: Transaction,
  collection: string,
  occurring = none,
): Promise<void> {
  const rows = await tx.run(listCollections, {});
  await requireListed(
    tx,
    'collection',
    collection,
    rows.map((row) => row.collection),
    occurring,
  );
}
