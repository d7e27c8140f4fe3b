// The URL is the state of a view: each filter is one parameter of the query, so that reload, the back button
// and another browser show the same.
import { computed, type WritableComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** One parameter of the URL as text; an empty text removes it. */
export function useQueryText(name: string): WritableComputedRef<string> {
  const route = useRoute();
  const router = useRouter();
  return computed({
    get: () => {
      const value = route.query[name];
      return typeof value === 'string' ? value : '';
    },
    set: (value) => {
      const query = { ...route.query };
      if (value === '') delete query[name];
      else query[name] = value;
      void router.replace({ query, hash: route.hash });
    },
  });
}
