// A list whose next page is named by the last line of the one before: decisions of the gate and its passes,
// which are records and not read at a moment.
import { useInfiniteQuery } from '@tanstack/vue-query';
import { computed, type MaybeRefOrGetter, toValue } from 'vue';
import { problemOf } from '../api/problem.js';
import { get, type Query } from '../api/request.js';
import { stateOf } from './use-list.js';

interface Page {
  readonly next: string | null;
}
const PAGE_SIZE = 200;
const LARGEST_PAGE = 1_000;

export function useIdList<P extends Page, Row>(
  path: string,
  query: MaybeRefOrGetter<Query>,
  rowsOf: (page: P) => readonly Row[],
) {
  const list = useInfiniteQuery({
    queryKey: computed(() => ['id-list', path, toValue(query)]),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      get<P>(path, { ...toValue(query), limit: PAGE_SIZE, after: pageParam }, signal),
    getNextPageParam: (page: P) => page.next ?? undefined,
    placeholderData: (previous) => previous,
  });
  const rows = computed(() => (list.data.value?.pages ?? []).flatMap((page) => rowsOf(page)));
  const problem = computed(() => (list.error.value === null ? undefined : problemOf(list.error.value)));
  const state = computed(() => stateOf(list.isPending.value, problem.value, rows.value.length));
  const more = () => {
    if (list.hasNextPage.value && !list.isFetchingNextPage.value) void list.fetchNextPage();
  };
  /** Every row of the list, for a file. */
  async function all(): Promise<Row[]> {
    const found: Row[] = [];
    let after: string | undefined;
    do {
      const page: P = await get<P>(path, { ...toValue(query), limit: LARGEST_PAGE, after });
      found.push(...rowsOf(page));
      after = page.next ?? undefined;
    } while (after !== undefined);
    return found;
  }
  return { list, rows, problem, state, more, all };
}
