// One act of a person: its dialog, the key under which it happens once however often it is sent, and reading
// everything again once it has happened.
import { useQueryClient } from '@tanstack/vue-query';
import { ref, watch } from 'vue';
import { send } from '../api/request.js';

/** How long the server answers from one moment, and a little more. */
const MOMENT_MS = 1_500;

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface Sent {
  readonly body?: unknown;
  /** What the person saw when they decided. */
  readonly decidesOn?: string;
  /** False: the act is safe to repeat, and takes no key. */
  readonly keyed?: boolean;
}

export function useAct() {
  const client = useQueryClient();
  const isOpen = ref(false);
  let key = newKey();
  watch(isOpen, () => {
    key = newKey();
  });

  const refresh = () =>
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });

  async function act<T>(path: string, { body, decidesOn, keyed = true }: Sent = {}): Promise<T> {
    const done = await send<T>(path, {
      method: 'POST',
      ...(body === undefined ? {} : { body }),
      ...(decidesOn === undefined ? {} : { ifMatch: `"${decidesOn}"` }),
      ...(keyed ? { idempotencyKey: key } : {}),
    });
    refresh();
    // An answer may describe a moment of up to a second ago, before the act.
    setTimeout(refresh, MOMENT_MS);
    return done;
  }
  return { isOpen, act };
}
