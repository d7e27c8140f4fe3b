// Owns the duty that delivers the feed to webhooks. It wakes when the feed has another last number, and when
// an attempt is due.
import type { Database } from '../../db/index.js';
import { RELAY_LEASE, Relay } from '../relay/index.js';
import type { Duty } from './duty.js';

const REST_MS = 100;

export function relayDuty({ db }: { readonly db: Database }): Duty {
  const relay = new Relay(db);
  let [found, handled]: [string?, string?] = [];
  return {
    name: 'relay',
    ...RELAY_LEASE,
    restMs: REST_MS,
    idle: {
      get mostMs() {
        return relay.restMs;
      },
      wakes({ feed }) {
        [found] = feed.split(' ');
        return found !== handled;
      },
    },
    work(lease, signal) {
      handled = found;
      return relay.round(lease, signal);
    },
  };
}
