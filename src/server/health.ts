// `/healthz`: this process answers. `/readyz`: it can serve now: the database answers and has the schema of
// this version, and the process is not stopping. Neither says anything of what is governed.
import { z } from '@hono/zod-openapi';
import type { Gcos } from '../index.js';
import { GcosError } from '../kernel/index.js';
import { open, Reply } from './route.js';

const ready = z.object({ ready: z.boolean(), reason: z.string().nullable() }).openapi('Readiness');

export interface Readiness {
  readonly gcos: Pick<Gcos, 'installation'>;
  /** Aborted: the server is stopping. */
  readonly stopping: AbortSignal;
}

async function whyNot({ gcos, stopping }: Readiness): Promise<string | null> {
  if (stopping.aborted) return 'the server is stopping';
  try {
    await gcos.installation.requireInstalledNow();
    return null;
  } catch (error) {
    // The code says what is wrong; the message could name hosts and logins.
    return error instanceof GcosError ? error.code : 'internal_error';
  }
}

export const healthRoutes = (server: Readiness) => [
  open({
    path: '/healthz',
    atRoot: true,
    isLight: true,
    summary: 'Whether this process answers',
    answer: z.object({ ok: z.literal(true) }),
    handle: async () => ({ ok: true }),
  }),
  open({
    path: '/readyz',
    atRoot: true,
    summary: 'Whether this process can serve: 503 if not',
    answer: ready,
    handle: async () => {
      const reason = await whyNot(server);
      return new Reply({ ready: reason === null, reason }, {}, reason === null ? 200 : 503);
    },
  }),
];
