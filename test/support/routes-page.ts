// Generates docs/reference/routes.md: every route with the permission it needs.
import type { RunningServer } from '../../src/server/index.js';

export function routesPage(routes: RunningServer['routes']): string {
  const rows = routes.map(({ method, path, atRoot, permission, summary, needsSeen }) => {
    const address = atRoot ? path : `/api/v1${path}`;
    const needs = permission === 'public' ? 'no credential' : permission;
    return `| \`${method.toUpperCase()} ${address}\` | ${needs} | ${summary}${needsSeen ? '; needs If-Match' : ''} |`;
  });
  return [
    '# Routes',
    '',
    '<!-- Written from the code by `npm run docs`; a test fails when it is stale. Do not edit. -->',
    '',
    'Every route of the [API](../api.md) with the permission that a token needs for it. [openapi.json](openapi.json) describes their values.',
    '`test/server/route.test.ts` tries each without a credential, with an unknown, an expired and a revoked one, and with every other permission.',
    '',
    '| route | permission | |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
