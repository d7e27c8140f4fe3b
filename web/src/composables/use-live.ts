// Keeps the page current: the server streams what happened, and what depends on it is read again. A lost
// stream says so, and recovers by itself.
import { useQueryClient } from '@tanstack/vue-query';
import { onScopeDispose, readonly, ref } from 'vue';

export type LiveState = 'connecting' | 'live' | 'lost';
/** Many events may arrive at once; the page is read again once per such a time. */
const GATHER_MS = 500;

export function useLive() {
  const client = useQueryClient();
  const state = ref<LiveState>('connecting');
  const lastEvent = ref<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    }, GATHER_MS);
  };
  const source = new EventSource('/api/v1/stream', { withCredentials: true });
  source.onopen = () => {
    // What happened while the stream was lost is not known: everything is read again.
    if (state.value === 'lost') refresh();
    state.value = 'live';
  };
  source.onerror = () => {
    state.value = 'lost';
  };
  source.onmessage = (event) => {
    lastEvent.value = event.lastEventId;
    refresh();
  };
  onScopeDispose(() => {
    source.close();
    clearTimeout(timer);
  });
  return { state: readonly(state), lastEvent: readonly(lastEvent) };
}
