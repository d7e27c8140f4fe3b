// The console of GCOS. It speaks HTTP with the server that delivered it, and with nothing else.
import { QueryClient, VueQueryPlugin } from '@tanstack/vue-query';
import { createApp } from 'vue';
import App from './App.vue';
import { problemOf } from './api/problem.js';
import { router } from './router.js';
import './style.css';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // An answer of the server is final; only its absence is tried again.
      retry: (failures, error) => problemOf(error).status === 0 && failures < 5,
      refetchOnWindowFocus: true,
    },
  },
});

createApp(App).use(router).use(VueQueryPlugin, { queryClient: client }).mount('#app');
