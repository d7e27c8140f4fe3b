// A list of the API as the page needs it: its filters come from the URL, its pages are loaded as the reader
// scrolls, all from one moment (`as_of`), and its state is one of five.
import { useInfiniteQuery } from '@tanstack/vue-query';
import { computed, type MaybeRefOrGetter, toValue } from 'vue';
import { problemOf } from '../api/problem.js';
import { get, type Query } from '../api/request.js';
import type { BlockState } from '../components/StateBlock.vue';

interface Page {
  readonly as_of?: string | null;
  readonly next?: string | null;
}

const PAGE_SIZE = 200;

export function useList<P extends Page, Row>(
  path: MaybeRefOrGetter<string>,
  query: MaybeRefOrGetter<Query>,
  rowsOf: (page: P) => readonly Row[],
) {
  const list = useInfiniteQuery({
    queryKey: computed(() => ['list', toValue(path), toValue(query)]),
    initialPageParam: {} as Query,
    queryFn: ({ pageParam, signal }) =>
      get<P>(toValue(path), { limit: PAGE_SIZE, ...toValue(query), ...pageParam }, signal),
    getNextPageParam: (page): Query | undefined =>
      page.next ? { after: page.next, ...(page.as_of ? { as_of: page.as_of } : {}) } : undefined,
  });
  const rows = computed(() => (list.data.value?.pages ?? []).flatMap((page) => rowsOf(page)));
  const first = computed(() => list.data.value?.pages[0]);
  const problem = computed(() => (list.error.value === null ? undefined : problemOf(list.error.value)));
  const state = computed<BlockState | undefined>(() => stateOf(list.isPending.value, problem.value, rows.value.length));
  return { list, rows, first, problem, state };
}

/** Which of the five states a view is in; undefined: it shows its data. */
export function stateOf(
  isLoading: boolean,
  problem: { readonly status: number; readonly code: string } | undefined,
  count = 1,
): BlockState | undefined {
  if (problem?.status === 403) return 'forbidden';
  if (problem?.code === 'as_of_expired') return 'stale';
  if (problem !== undefined && count === 0) return 'failed';
  if (isLoading) return 'loading';
  if (count === 0) return 'empty';
  return undefined;
}
