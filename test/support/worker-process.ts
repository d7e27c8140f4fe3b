// Starts a worker in a separate process (worker-process.mjs), collects its reports, and can end it.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkout } from './cli.js';
import { asHost } from './database.js';
import type { Estate } from './estate.js';
import { createPeople } from './people.js';

type Report = Readonly<Record<string, unknown>>;

export interface WorkerProcess {
  readonly child: ChildProcess;
  /** All reports so far. */
  readonly reports: readonly Report[];
  /** The first report with this state, past or future; fails if the process ends without it. */
  waitForState(state: string): Promise<Report>;
  /** Writes a line to the stdin of the process. */
  send(line: string): void;
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

export function startWorkerProcess(
  options: Readonly<Record<string, unknown>>,
  name = 'worker-process.mjs',
): WorkerProcess {
  const script = join(checkout, 'test/support', name);
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const reports: Report[] = [];
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const listeners = new Set<() => void>();
  const wake = () => {
    for (const listener of [...listeners]) listener();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    reports.push(JSON.parse(line) as Report);
    wake();
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      hasEnded = true;
      wake();
      resolve();
    });
  });
  // Some tests write to the stdin of a process that has already ended.
  child.stdin.on('error', () => undefined);
  return {
    child,
    reports,
    ended,
    waitForState: (state) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = reports.find((each) => each['state'] === state);
          if (found === undefined && !hasEnded) return;
          listeners.delete(check);
          if (found) resolve(found);
          else reject(new Error(`the worker ended without reporting ${state}: ${stderr}`));
        };
        listeners.add(check);
        check();
      }),
    send: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Creates a feed for test workers, a table of the items they apply, and a login with the worker's rights. */
export async function prepareFeed(
  estate: Estate,
  items: number,
): Promise<{ url: string; close(): Promise<void> }> {
  await asHost(
    estate.url,
    `create table feed (id bigint primary key);
     insert into feed select g from generate_series(1, ${items}) g;
     create table applied (n bigserial, id bigint not null, holder text not null, fence bigint not null);
     grant select on feed, applied to gcos_worker;
     grant insert on applied to gcos_worker;
     grant usage on sequence applied_n_seq to gcos_worker`,
  );
  const people = createPeople(estate.url);
  const { url } = await people.login('worker', 'gcos_worker');
  return { url, close: () => people.close() };
}
