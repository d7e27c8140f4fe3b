// The OpenAPI document: valid for a program that knows nothing of GCOS, as it is checked in, and enough for a
// client that is generated from it.
import { Validator } from '@seriousme/openapi-schema-validator';
import createClient from 'openapi-fetch';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/index.js';
import { describeApi } from '../../src/server/index.js';
import type { paths } from '../support/api-client.js';
import { createEstate, type Estate } from '../support/estate.js';
import { startServer, type TestServer } from '../support/http.js';
import { routesPage } from '../support/routes-page.js';

const { routes, document } = describeApi();
const text = `${JSON.stringify(document, null, 2)}\n`;

describe('the document (npm run docs writes it)', () => {
  it('is the one that is checked in', async () => {
    await expect(text).toMatchFileSnapshot('../../docs/reference/openapi.json');
    await expect(routesPage(routes)).toMatchFileSnapshot('../../docs/reference/routes.md');
  });

  it('is OpenAPI 3.1, says an independent validator, which refuses one with an error', async () => {
    const validator = new Validator();
    const valid = await validator.validate(JSON.parse(text));
    expect(valid.errors ?? [], JSON.stringify(valid.errors)).toEqual([]);
    expect([valid.valid, validator.version]).toEqual([true, '3.1']);
    const broken = JSON.parse(text);
    broken.paths['/api/v1/status'].get.parameters = 'none';
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('describes every route, its permission and its refusals', () => {
    const { paths: described } = JSON.parse(text) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    for (const { method, path, atRoot, permission } of routes) {
      const found = described[atRoot ? path : `/api/v1${path}`]?.[method];
      expect(found, path).toBeDefined();
      expect(found?.['x-gcos-permission'] ?? 'public').toBe(permission);
    }
    expect(JSON.parse(text).info.version).toBe(version);
  });
});

describe('a generated client', () => {
  let estate: Estate;
  let server: TestServer;
  beforeAll(async () => {
    estate = await createEstate('installed');
    server = await startServer(estate);
  });
  afterAll(async () => {
    await server?.close();
    await estate?.close();
  });

  it('is the one that is checked in, and type-checks with everything else', async () => {
    const generated = astToString(await openapiTS(JSON.parse(text)));
    await expect(
      `// Generated from docs/reference/openapi.json (npm run docs). Do not edit.\n${generated}`,
    ).toMatchFileSnapshot('../support/api-client.ts');
  });

  it('reads the status and a refusal with their types', async () => {
    const client = createClient<paths>({
      baseUrl: server.url,
      headers: { authorization: `Bearer ${server.tokens.read}` },
    });
    const { data } = await client.GET('/api/v1/status');
    const watchedAt: string | null | undefined = data?.watched_at;
    expect(watchedAt).toBeNull();
    const { error, response } = await client.GET('/api/v1/requests/{code}', {
      params: { path: { code: 'APR-9999' } },
    });
    expect([response.status, error?.code, error?.status]).toEqual([404, 'request_unknown', 404]);
  });
});
