// Keeps the page current: the server streams what happened, and what depends on it is read again. A lost
// stream says so, and recovers by itself.
import { useQueryClient } from '@tanstack/vue-query';
import { onScopeDispose, readonly, ref } from 'vue';

export type LiveState = 'connecting' | 'live' | 'lost';
/** Many events may arrive at once; the page is read again once per such a time. */
const GATHER_MS = 550;
/** An answer may describe a moment of up to this long ago, before the event: the page is read until it cannot. */
const MOMENT_MS = 1_000;
/** The browser restores a connection that broke, but not one that was refused. */
const REOPEN_MS = 2_000;

export function useLive() {
  const client = useQueryClient();
  const state = ref<LiveState>('connecting');
  const lastEvent = ref<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  let eventAt = 0;
  const read = () => {
    timer = undefined;
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    if (performance.now() - eventAt < MOMENT_MS) timer = setTimeout(read, GATHER_MS);
  };
  const refresh = () => {
    eventAt = performance.now();
    timer ??= setTimeout(read, GATHER_MS);
  };
  let source: EventSource;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  function open() {
    source = new EventSource('/api/v1/stream', { withCredentials: true });
    source.onopen = () => {
      // What happened while the stream was lost is not known: everything is read again.
      if (state.value === 'lost') refresh();
      state.value = 'live';
    };
    source.onerror = () => {
      state.value = 'lost';
      if (source.readyState !== EventSource.CLOSED) return;
      // The reason may be that the session has ended.
      void client.invalidateQueries({ queryKey: ['session'] });
      reopening = setTimeout(open, REOPEN_MS);
    };
    source.onmessage = (event) => {
      lastEvent.value = event.lastEventId;
      refresh();
    };
    // What happened meanwhile is no longer in the feed.
    source.addEventListener('reset', refresh);
  }
  open();
  onScopeDispose(() => {
    source.close();
    clearTimeout(timer);
    clearTimeout(reopening);
  });
  return { state: readonly(state), lastEvent: readonly(lastEvent) };
}
