// Owns the logins of GCOS's own roles on the embedded server: the reader's and the server's. On other
// servers an operator sets their passwords. Here GCOS
// derives the password from the server's own, so that it needs no storage and appears in no file.
import { createHmac } from 'node:crypto';
import type { Database } from '../database.js';
import { quoteIdentifier, quoteLiteral } from '../quote.js';

/** Sets the password of the role `name` and returns its connection URL. */
export async function openRole(db: Database, serverUrl: string, name: string): Promise<string> {
  const url = new URL(serverUrl);
  const password = createHmac('sha256', url.password).update(name).digest('base64url');
  await db.transaction({ isolation: 'read committed' }, (tx) =>
    tx.script(`alter role ${quoteIdentifier(name)} password ${quoteLiteral(password)}`),
  );
  url.username = name;
  url.password = password;
  return url.href;
}
