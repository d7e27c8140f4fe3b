// Owns the delivery of the console: its files, as `npm run build` made them, read once at the start. An
// address that is no file and no part of the API is a screen, which the console finds by itself.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../index.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The page may load code, styles, pictures and data from this server, and from nowhere else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What never is a screen. A name in an address may have a dot: a decision, or the code of an object. */
const NO_SCREEN =
  /^\/(?:api|access|\.well-known|assets)\/|^\/(?:healthz|readyz|metrics)$|^\/[^/]+\.[a-z0-9]+$/;

interface File {
  readonly bytes: Uint8Array;
  readonly type: string;
}

function filesUnder(folder: string): Map<string, File> {
  const files = new Map<string, File>();
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return files;
  }
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type !== undefined)
      files.set(`/${name.replaceAll('\\', '/')}`, { bytes: readFileSync(join(folder, name)), type });
  }
  return files;
}

/** Answers for an address of the console; undefined: there is none, or the package has no console. */
export function openConsole(
  folder = fileURLToPath(new URL('dist/console/', packageRoot)),
): (request: Request) => Response | undefined {
  const files = filesUnder(folder);
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const { pathname } = new URL(request.url);
    // Only a browser that opens a page asks for HTML; a program that mistypes an address learns that it did.
    const isScreen =
      pathname === '/' ||
      (!NO_SCREEN.test(pathname) && request.headers.get('accept')?.includes('text/html') === true);
    const file = files.get(pathname) ?? (isScreen ? files.get('/index.html') : undefined);
    if (file === undefined) return undefined;
    const isNamedByContent = pathname.startsWith('/assets/');
    return new Response(request.method === 'HEAD' ? null : Buffer.from(file.bytes), {
      headers: {
        'content-type': file.type,
        'content-security-policy': POLICY,
        'cache-control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
    });
  };
}
