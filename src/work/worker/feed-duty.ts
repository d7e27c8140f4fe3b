// Owns the duty that numbers the feed. It wakes when an entry waits for its number.
import { advance } from '../../record/cursor/index.js';
import { numberFeed } from '../../record/feed/index.js';
import type { Duty } from './duty.js';

/** How many numbers one transaction gives: below a second. */
const AT_ONCE = 5_000;
const REST_MS = 100;
/** Without a sign of an entry: a restored dump shows none. */
const MOST_MS = 30_000;

export function feedDuty(): Duty {
  return {
    name: 'feed',
    worker: 'feed',
    source: 'gov_feed_entry',
    restMs: REST_MS,
    idle: { mostMs: MOST_MS, wakes: ({ feed }) => feed.endsWith(' waits') },
    async work(lease) {
      const { numbered, last, more } = await lease.work(
        { isolation: 'read committed', retries: 5 },
        async (tx) => {
          const numbering = await numberFeed(tx, AT_ONCE);
          await advance(tx, lease, 'main', {
            watermark: String(numbering.last),
            eventsSeen: numbering.numbered,
            summary: { numbered: numbering.numbered },
          });
          return numbering;
        },
      );
      return { more, progress: { value: String(last) }, lagSeconds: 0, did: { numbered } };
    },
  };
}
