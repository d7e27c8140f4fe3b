// A signal may carry addresses, references and counts. Any other payload is refused, and nothing is written.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payloadText } from '../../src/record/event/index.js';
import { createEstate, type Estate } from '../support/estate.js';
import { countOf, mapTester, signalOf } from '../support/events.js';

const circular: Record<string, unknown> = { scope: 'x' };
circular['self'] = { again: circular };

const REFUSED: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['a nested password', { counts: { deep: { password: 'hush' } } }, 'payload.counts.deep.password'],
  ['a password in an array', { refs: [{ Pass_Word: 1 }] }, 'payload.refs[0].Pass_Word'],
  ['camel case', { rawBody: 'x' }, 'payload.rawBody'],
  ['capitals', { USER_TOKEN: 'x' }, 'payload.USER_TOKEN'],
  ['full-width letters', { ｐａｓｓｗｏｒｄ: 'x' }, 'payload.ｐａｓｓｗｏｒｄ'],
  ['personal data', { 'personal-data': {} }, 'payload.personal-data'],
  ['an embedding', { embedding: [0.1] }, 'payload.embedding'],
  ['a string of 1 MB', { source: 'x'.repeat(1_000_000) }, 'payload.source'],
  ['a string a little too long', { source: 'x'.repeat(501) }, 'payload.source'],
  ['a long array', { refs: Array.from({ length: 101 }, () => 'x') }, 'payload.refs'],
  ['depth', { counts: { a: { b: { c: { d: { e: {} } } } } } }, 'payload.counts.a.b.c.d.e'],
  ['a circle', circular, 'payload.self.again'],
  ['a Buffer', { source: Buffer.from('x') }, 'payload.source'],
  ['bytes', { source: new Uint8Array(3) }, 'payload.source'],
  ['an ArrayBuffer', { source: new ArrayBuffer(3) }, 'payload.source'],
  ['a Date', { occurred_at: new Date(0) }, 'payload.occurred_at'],
  ['a Map', { counts: new Map() }, 'payload.counts'],
  ['a function', { source: () => 1 }, 'payload.source'],
  ['not a number', { count: Number.NaN }, 'payload.count'],
  ['a hole in an array', { refs: ['a', undefined] }, 'payload.refs[1]'],
  ['NUL', { source: 'a\0b' }, 'payload.source'],
  ['half a character', { source: '\ud800' }, 'payload.source'],
  ['a field of another family', { batch_range: { from: '1', to: '2' } }, 'payload.batch_range'],
  ['an unknown field', { colour: 'red' }, 'payload.colour'],
  ['a negative count', { count: -1 }, 'payload.count'],
  ['text where a count belongs', { count: 'many' }, 'payload.count'],
];

describe('payloads', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('installed');
    await mapTester(estate.url);
    await estate.gcos.events.activate(['coverage.orphan']);
  });
  afterAll(() => estate.close());

  it.each(REFUSED)(
    'with %s are refused with the path of the value, and nothing is written',
    async (_, payload, path) => {
      const good = signalOf('coverage.orphan', 'A');
      await expect(
        estate.gcos.events.emit([good, signalOf('coverage.orphan', 'B', { payload })]),
      ).rejects.toMatchObject({ code: 'payload_refused', exit: 3, facts: { path } });
      expect(await countOf(estate.url, "event_outbox where event_domain = 'governance'")).toBe(0);
      expect(await countOf(estate.url, 'event_pending')).toBe(0);
    },
  );

  it('of addresses and counts are kept; a BigInt becomes text, and undefined is omitted', () => {
    const payload = {
      gap_type: 'owner_gap',
      scope: 'approval',
      coalesce_anchor: 'gov:coverage:owner_gap:x',
      issue_id: 17n,
      owner: undefined,
      counts: { drawn: 3, orphans: 2n },
      refs: ['dot_tools:DOT-117'],
    };
    expect(JSON.parse(payloadText('owner.gap', payload))).toEqual({
      gap_type: 'owner_gap',
      scope: 'approval',
      coalesce_anchor: 'gov:coverage:owner_gap:x',
      issue_id: '17',
      counts: { drawn: 3, orphans: '2' },
      refs: ['dot_tools:DOT-117'],
    });
    expect(payloadText('backfill.batch_failed', { batch_range: { from: '1', to: '9' } })).toContain(
      'batch_range',
    );
  });

  it('are read once: the checked value is the written value', () => {
    let reads = 0;
    const changing = {
      get source(): string {
        reads += 1;
        return reads === 1 ? 'short' : 'x'.repeat(1_000);
      },
    };
    expect(payloadText('coverage.orphan', changing)).toBe('{"source":"short"}');
  });

  it.each([
    ['no type', { type: '' }],
    ['a reserved type', { type: 'gcos.retry.intake' }],
    ['no subject', { subjectTable: '' }],
    ['an invalid time', { occurredAt: 'yesterday' }],
    ['a correlation id that is not a uuid', { correlationId: 'x' }],
  ])('do not make a signal with %s valid', async (_, wrong) => {
    await expect(estate.gcos.events.emit([signalOf('coverage.orphan', 'A', wrong)])).rejects.toMatchObject({
      code: 'signal_invalid',
      exit: 3,
    });
  });
});
