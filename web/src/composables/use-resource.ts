// One resource of the API: its value, what is wrong with it, and its state.
import { useQuery } from '@tanstack/vue-query';
import { computed, type MaybeRefOrGetter, toValue } from 'vue';
import { problemOf } from '../api/problem.js';
import { addressOf, get, type Query } from '../api/request.js';
import { stateOf } from './use-list.js';

/** How often what ages without an event is read: a worker that dies tells no one. */
export const AGES = { everyMs: 10_000 } as const;

const pathOf = (address: unknown): string => String(address).split('?')[0] ?? '';

export function useResource<T>(
  path: MaybeRefOrGetter<string>,
  query: MaybeRefOrGetter<Query> = {},
  { everyMs = undefined }: { readonly everyMs?: number | undefined } = {},
) {
  const address = computed(() => addressOf(toValue(path), toValue(query)));
  const found = useQuery({
    queryKey: computed(() => ['resource', address.value]),
    queryFn: ({ signal }): Promise<T> => get<T>(address.value, {}, signal),
    refetchInterval: everyMs ?? false,
    // The value before another filter stays until the new one is there; that of another resource never does.
    placeholderData: ((
      previous: T | undefined,
      before: { readonly queryKey: readonly unknown[] } | undefined,
    ) => (pathOf(before?.queryKey[1]) === pathOf(address.value) ? previous : undefined)) as never,
  });
  const problem = computed(() => (found.error.value === null ? undefined : problemOf(found.error.value)));
  const state = computed(() => stateOf(found.isPending.value, problem.value));
  return {
    value: computed(() => found.data.value as T | undefined),
    problem,
    state,
    again: () => void found.refetch(),
  };
}
