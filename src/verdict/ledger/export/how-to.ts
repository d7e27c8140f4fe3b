// Owns what is said to whoever checks an export, in the export itself.

export const howToCheck = `How to check this ledger without GCOS

1. The files are those of the manifest:

     sha256sum *.json *.sql *.txt        compare with "sha256" in manifest.json

2. The rules are those that the version names (ruleset_hash in manifest.json; its first 12 digits are in ruleset_version):

     (printf 'gcos-ruleset\\0'; cat ruleset.canonical.json) | sha256sum

3. The fingerprints are those of the snapshot (snapshot_identity in manifest.json):

     (printf 'gcos-snapshot\\0'; cat snapshot.canonical.json) | sha256sum

4. The database agrees. Any login that may read will do; each file is one SELECT and changes nothing:

     psql -d DATABASE -f 01-fingerprints.sql      the host's tables alone
     psql -d DATABASE -f 02-inventory.sql         the host's tables alone
     psql -d DATABASE -f 03-both-sides.sql        the host's tables against GCOS's rows
     psql -d DATABASE -f 04-terms.sql             GCOS's rows against ledger.json

   No rows: it holds. Every row is a difference, and names the group or the scope.

What has changed since the ledger was closed shows as well: births and retirements in 01, 02 and 03, and whatever GCOS judged anew
in 04. For proof of that moment run them on a backup of that time. The class of a collection is written into the files as the
catalogue had it when they were written.

The sums of hashes notice every accident. They are no defence against somebody who crafts rows so that the sums stay equal; where a
snapshot was sealed, snapshot.json also has the sum of SHA-256 over the rows of each group.
`;
