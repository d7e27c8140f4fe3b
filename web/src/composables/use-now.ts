// One clock for all relative times, so that a page of a thousand rows has one timer.
import { readonly, ref } from 'vue';

const now = ref(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 1_000);

export function useNow() {
  return readonly(now);
}
