// A list of the API as a page needs it: its filters come from the URL, further pages of the same moment are
// loaded as the reader scrolls, and its state is one of five.
import { useInfiniteQuery } from '@tanstack/vue-query';
import { computed, type MaybeRefOrGetter, toValue } from 'vue';
import { problemOf } from '../api/problem.js';
import { addressOf, get, type Query } from '../api/request.js';
import type { BlockState } from '../components/StateBlock.vue';

interface Page {
  readonly as_of: string;
  readonly at: string;
  readonly next: { readonly href: string } | null;
}

const PAGE_SIZE = 200;

export function useList<P extends Page, Row>(
  path: MaybeRefOrGetter<string>,
  query: MaybeRefOrGetter<Query>,
  rowsOf: (page: P) => readonly Row[],
) {
  const begin = computed(() => addressOf(toValue(path), { limit: PAGE_SIZE, ...toValue(query) }));
  const list = useInfiniteQuery({
    queryKey: computed(() => ['list', begin.value]),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => get<P>(pageParam ?? begin.value, {}, signal),
    getNextPageParam: (page: P) => page.next?.href,
    // A list that is pinned to a moment does not change; another follows what happens.
    placeholderData: (previous) => previous,
  });
  const rows = computed(() => (list.data.value?.pages ?? []).flatMap((page) => rowsOf(page)));
  const first = computed(() => list.data.value?.pages[0]);
  const problem = computed(() => (list.error.value === null ? undefined : problemOf(list.error.value)));
  const state = computed<BlockState | undefined>(() =>
    stateOf(list.isPending.value, problem.value, rows.value.length),
  );
  const more = () => {
    if (list.hasNextPage.value && !list.isFetchingNextPage.value) void list.fetchNextPage();
  };
  return { list, rows, first, problem, state, more };
}

/** Which of the five states a view is in; undefined: it shows its data. */
export function stateOf(
  isLoading: boolean,
  problem: { readonly status: number; readonly code: string } | undefined,
  count = 1,
): BlockState | undefined {
  if (problem?.status === 403) return 'forbidden';
  if (problem?.code === 'as_of_expired') return 'stale';
  if (problem !== undefined && (count === 0 || problem.status >= 400)) return 'failed';
  if (isLoading) return 'loading';
  if (count === 0) return 'empty';
  return undefined;
}
