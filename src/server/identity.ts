// Owns how a request becomes an acting identity: the credential it carries goes to the library, which hands
// it to the database with every transaction. INVARIANT: nothing here knows what a credential means.
import type { Gcos } from '../index.js';
import { serverErrors } from './errors.js';

/** What a request asks for: with whose credential, to do what, on what. */
export type Claim = Parameters<Gcos['as']>[0];
/** What a route needs. The database knows which of them a credential has. */
export type Permission = Claim['permission'];

/** The verbs of the library, as the identity of one request. */
export type Verbs = Omit<
  Gcos,
  'db' | 'installation' | 'prober' | 'init' | 'initFiles' | 'upgrade' | 'upgradeFile' | 'close' | 'as'
>;

/** An opaque token: visible ASCII without spaces, as RFC 6750 writes it. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]{1,512}=*)$/i;

/** The credential of a request. */
export function credentialOf(authorization: string | undefined): string {
  const found = BEARER.exec(authorization ?? '')?.[1];
  if (found === undefined)
    throw serverErrors.credential_missing(
      authorization === undefined ? 'the request has no credential' : 'the credential is not a Bearer token',
    );
  return found;
}

/** Fails as a verb would if the database does not accept the credential for what it claims. */
export async function requireAccepted(gcos: Gcos, claim: Claim): Promise<void> {
  await gcos.as(claim).db.transaction({ isolation: 'read committed', readOnly: true }, async () => undefined);
}
