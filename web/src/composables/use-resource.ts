// One resource of the API: its value, what is wrong with it, and its state.
import { keepPreviousData, useQuery } from '@tanstack/vue-query';
import { computed, type MaybeRefOrGetter, toValue } from 'vue';
import { problemOf } from '../api/problem.js';
import { addressOf, get, type Query } from '../api/request.js';
import { stateOf } from './use-list.js';

export function useResource<T>(path: MaybeRefOrGetter<string>, query: MaybeRefOrGetter<Query> = {}) {
  const address = computed(() => addressOf(toValue(path), toValue(query)));
  const found = useQuery<T, Error, T, string[]>({
    queryKey: computed(() => ['resource', address.value]),
    queryFn: ({ signal }) => get<T>(address.value, {}, signal),
    placeholderData: keepPreviousData as never,
  });
  const problem = computed(() => (found.error.value === null ? undefined : problemOf(found.error.value)));
  const state = computed(() => stateOf(found.isPending.value, problem.value));
  return { value: computed(() => found.data.value), problem, state, again: () => void found.refetch() };
}
