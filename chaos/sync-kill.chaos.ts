// The kills of syncs of the suite, with 30 of them: `npm run chaos -- sync-kill`.
process.env['GCOS_SYNC_KILLS'] ??= '30';
await import('../test/source/sync-kill.test.js');
