// Owns the login for reading on the embedded server. Elsewhere an operator gives it a password; here nobody is asked, so its password
// follows from the server's own: nothing more to keep, and nothing to be found in a file.
import { createHmac } from 'node:crypto';
import type { Database } from '../database.js';
import { quoteIdentifier, quoteLiteral } from '../quote.js';

/** Gives the role `name` its password, and returns the URL under which it logs in. */
export async function openReader(db: Database, serverUrl: string, name: string): Promise<string> {
  const url = new URL(serverUrl);
  const password = createHmac('sha256', url.password).update(name).digest('base64url');
  await db.transaction({ isolation: 'read committed' }, (tx) =>
    tx.script(`alter role ${quoteIdentifier(name)} password ${quoteLiteral(password)}`),
  );
  url.username = name;
  url.password = password;
  return url.href;
}
