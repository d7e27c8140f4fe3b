import { describe, expect, it } from 'vitest';
import { cliErrors } from '../../src/cli/errors.js';
import { demoErrors } from '../../src/demo/index.js';
import { errorKinds } from '../../src/index.js';

const all = { ...errorKinds, ...demoErrors.kinds, ...cliErrors.kinds };

describe('error kinds', () => {
  it('have codes that are unique across all modules', () => {
    const counted =
      Object.keys(errorKinds).length +
      Object.keys(demoErrors.kinds).length +
      Object.keys(cliErrors.kinds).length;
    expect(Object.keys(all)).toHaveLength(counted);
  });

  it.each(Object.entries(all))('%s: describes its cause and its remedy, in lower case', (code, kind) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)+$/);
    for (const text of [kind.when, kind.help]) {
      expect(text.length).toBeGreaterThan(15);
      expect(text).toMatch(/^[^A-Z]/);
      expect(text).not.toMatch(/\.$/);
    }
  });
});
