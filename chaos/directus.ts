// Runs a real Directus on a database: only if GCOS_DIRECTUS names a folder with one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../test/support/wait.js';

const FOLDER = process.env['GCOS_DIRECTUS'];
export const hasDirectus = FOLDER !== undefined;
if (!hasDirectus)
  console.warn(
    'skipped: a real Directus. `npm i directus@11.17.4` in an empty folder takes about six minutes; then GCOS_DIRECTUS=FOLDER names it',
  );

const PASSWORD = 'only-for-this-run';
const EMAIL = 'admin@example.com';

function launch(url: string, command: string, more: Readonly<Record<string, string>> = {}) {
  const folder = FOLDER ?? '';
  const program = join(folder, 'node_modules/.bin/directus');
  if (!existsSync(program)) throw new Error(`${folder} holds no Directus`);
  const { hostname, port, username, password, pathname } = new URL(url);
  const child = spawn(program, [command], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DB_CLIENT: 'pg',
      DB_HOST: hostname,
      DB_PORT: port,
      DB_USER: username,
      DB_PASSWORD: decodeURIComponent(password),
      DB_DATABASE: pathname.slice(1),
      SECRET: PASSWORD,
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      TELEMETRY: 'false',
      ...more,
    },
  });
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.text += text;
    });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, output, ended };
}

/** Runs the command line of Directus on the database at `url`. */
export async function directus(url: string, command: string): Promise<void> {
  const { output, ended } = launch(url, command);
  const exit = await ended;
  if (exit !== 0) throw new Error(`directus ${command}: exit ${exit}\n${output.text}`);
}

export interface RunningDirectus {
  /** Sends a request as its administrator; its data. Throws unless the answer is a success. */
  request(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** The status of a request without a login. */
  publicStatus(path: string): Promise<number>;
  close(): Promise<unknown>;
}

/** Starts the server of Directus on the database at `url`. */
export async function startDirectus(url: string, port: number): Promise<RunningDirectus> {
  const { child, output, ended } = launch(url, 'start', { HOST: '127.0.0.1', PORT: String(port) });
  const base = `http://127.0.0.1:${port}`;
  await until('Directus answers', async () => {
    if (child.exitCode !== null) throw new Error(`Directus has ended\n${output.text}`);
    return fetch(`${base}/server/ping`).then(
      (answer) => answer.ok,
      () => false,
    );
  });
  const send = (method: string, path: string, body: unknown, token?: string) =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const dataOf = async (answer: Response) => {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text).data) as Record<string, unknown>;
  };
  const login = await dataOf(await send('POST', '/auth/login', { email: EMAIL, password: PASSWORD }));
  return {
    request: async (method, path, body) =>
      dataOf(await send(method, path, body, String(login['access_token']))),
    publicStatus: async (path) => (await fetch(`${base}${path}`)).status,
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
