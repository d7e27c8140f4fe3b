import { describe, expect, it } from 'vitest';
import { formatDuration, hasCode, loadConfig, parseDuration } from '../../src/kernel/index.js';

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    for (const code of ['config_invalid', 'config_unsupported']) if (hasCode(error, code)) return code;
    throw error;
  }
  return undefined;
}

describe('configuration', () => {
  it('uses the embedded server when nothing is configured', () => {
    expect(loadConfig({}, '/srv').target).toEqual({ kind: 'embedded', home: '/srv/.gcos' });
    expect(loadConfig({ GCOS_HOME: 'elsewhere' }, '/srv').target).toEqual({
      kind: 'embedded',
      home: '/srv/elsewhere',
    });
  });

  it('uses the configured server', () => {
    expect(loadConfig({ DATABASE_URL: 'postgresql://a@b/c' }, '/').target).toEqual({
      kind: 'url',
      url: 'postgresql://a@b/c',
    });
    expect(loadConfig({ PGHOST: 'db' }, '/').target).toEqual({ kind: 'libpq' });
    expect(loadConfig({ PGDATABASE: 'x', DATABASE_URL: 'postgres://u' }, '/').target.kind).toBe('url');
  });

  it('refuses unsupported connection settings instead of using the embedded server', () => {
    expect(codeOf(() => loadConfig({ PGSERVICE: 'prod' }, '/'))).toBe('config_unsupported');
    expect(codeOf(() => loadConfig({ DATABASE_URL: 'mysql://a@b/c' }, '/'))).toBe('config_invalid');
  });

  it('does not print a refused URL, which may contain a password', () => {
    expect(() => loadConfig({ DATABASE_URL: 'mysql://u:hush@b/c' }, '/')).toThrow(/^(?!.*hush)/);
  });

  it.each([
    ['GCOS_SCHEMA', 'Bad-Name'],
    ['GCOS_ROLE_PREFIX', "x'; drop"],
    ['GCOS_POOL_SIZE', '0'],
    ['GCOS_POOL_SIZE', 'many'],
    ['GCOS_CONNECT_TIMEOUT', '10'],
    ['GCOS_STATEMENT_TIMEOUT', '-1s'],
  ])('refuses %s=%s', (name, value) => {
    expect(codeOf(() => loadConfig({ [name]: value }, '/'))).toBe('config_invalid');
  });

  it('parses and formats durations', () => {
    expect(parseDuration('1.5s')).toBe(1_500);
    expect(parseDuration('2h')).toBe(7_200_000);
    expect(parseDuration('10')).toBeUndefined();
    expect(parseDuration('0ms')).toBeUndefined();
    expect(formatDuration(850)).toBe('850 ms');
    expect(formatDuration(185_000)).toBe('3 min 05 s');
  });
});
