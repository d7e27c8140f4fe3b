// Starts a worker in a process of its own (worker-process.mjs), and follows what it says. Ends only what it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkout } from './cli.js';
import { asHost } from './database.js';
import type { Estate } from './estate.js';
import { createPeople } from './people.js';

type Said = Readonly<Record<string, unknown>>;

export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly said: readonly Said[];
  /** The next or an earlier line with this state; fails when the process ends without it. */
  saying(state: string): Promise<Said>;
  tell(line: string): void;
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
  const said: Said[] = [];
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const listeners = new Set<() => void>();
  const wake = () => {
    for (const listener of [...listeners]) listener();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(JSON.parse(line) as Said);
    wake();
  });
  let over = false;
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      over = true;
      wake();
      resolve();
    });
  });
  // The process may be dead when it is told something: that is what some tests are about.
  child.stdin.on('error', () => undefined);
  return {
    child,
    said,
    ended,
    saying: (state) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = said.find((each) => each['state'] === state);
          if (found === undefined && !over) return;
          listeners.delete(look);
          if (found) resolve(found);
          else reject(new Error(`the worker ended without saying ${state}: ${complaint}`));
        };
        listeners.add(look);
        look();
      }),
    tell: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Tables for test workers, what they read and what they did, and a login of their own with the worker's rights. */
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
