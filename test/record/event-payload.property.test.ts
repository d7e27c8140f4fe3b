// Payloads of signals: a forbidden name is refused in every spelling and at every depth.
import fc from 'fast-check';
import { expect } from 'vitest';
import { payloadText } from '../../src/record/event/index.js';
import { holds } from '../support/property.js';

const words = ['body', 'content', 'raw', 'vector', 'embedding', 'secret', 'token', 'password', 'ssn'];
const spelt = fc
  .tuple(
    fc.constantFrom(...words),
    fc.constantFrom('', 'user_', 'x.', 'my-'),
    fc.constantFrom('', '_1', 'Value'),
  )
  .chain(([word, before, after]) =>
    fc
      .constantFrom(word, word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1), [...word].join('_'))
      .map((spelling) => (spelling.includes('_') ? spelling : `${before}${spelling}${after}`)),
  );
const nested = fc
  .tuple(spelt, fc.array(fc.constantFrom('counts', 'a', 'b'), { maxLength: 4 }))
  .map(([key, path]) =>
    path.reduceRight<Record<string, unknown>>((inner, step) => ({ [step]: inner }), { [key]: 1 }),
  );

holds('refuses a payload with a forbidden key', {
  cases: nested,
  check: (payload) => {
    expect(() => payloadText('coverage.orphan', payload)).toThrow(/is not allowed in a signal/);
  },
  seeds: [41, 2_026],
  runs: 500,
});
