// Owns the README of an export: how an auditor checks it.

export const howToCheck = `How to check this ledger without GCOS

1. Check that the files are those of the manifest:

     sha256sum *.json *.sql *.txt        compare with "sha256" in manifest.json

2. Check the hash of the rules (ruleset_hash in manifest.json; its first 12 digits are part of ruleset_version):

     (printf 'gcos-ruleset\\0'; cat ruleset.canonical.json) | sha256sum

3. Check the hash of the fingerprints (snapshot_identity in manifest.json):

     (printf 'gcos-snapshot\\0'; cat snapshot.canonical.json) | sha256sum

4. Check the database. Any login with read access works; each file is one SELECT and changes nothing:

     psql -d DATABASE -f 01-fingerprints.sql      reads only tables of the host
     psql -d DATABASE -f 02-inventory.sql         reads only tables of the host
     psql -d DATABASE -f 03-both-sides.sql        compares tables of the host with rows of GCOS
     psql -d DATABASE -f 04-terms.sql             compares rows of GCOS with ledger.json

   No rows: the check passes. Every row is a difference and names the group or the scope.

Changes since the ledger was closed also appear as differences: births and retirements in 01, 02 and 03, and new
evaluations of GCOS in 04. To check the state at closing, run the files on a backup of that time. The class of each
collection is written into the files as the catalogue had it at the time of the export.

What the closing of the ledger does not prove of some classes or collections is listed under "caveats" in manifest.json
and ledger.json.

The sums of hashes detect accidental changes. They do not protect against an attacker who crafts rows so that the sums
stay equal. For a sealed snapshot, snapshot.json also contains the sum of SHA-256 over the rows of each group.
`;
