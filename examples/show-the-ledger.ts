// Does the ledger close? Exit code 2 if it does not in some scope.
import { loadConfig, openGcos } from 'gcos';

const gcos = await openGcos(loadConfig());
try {
  const ledger = await gcos.ledgers.show();
  for (const { scope, total, covered, orphans, unverified, closes, verifiedShare } of ledger.scopes)
    console.log(
      `${scope}: ${total} = ${covered} covered, ${orphans} orphans, ${unverified} unverified, …; ` +
        `${closes ? 'closes' : 'DOES NOT CLOSE'}, ${Math.floor((verifiedShare ?? 0) * 100)} % verified`,
    );
  process.exitCode = ledger.closes ? 0 : 2;
} finally {
  await gcos.close();
}
