// The router of the console: the way back leads to where the reader was on the page.
import { createRouter, createWebHistory } from 'vue-router';
import { routes } from './screens/routes.js';

export const router = createRouter({
  history: createWebHistory(),
  scrollBehavior: (_to, _from, saved) => saved ?? undefined,
  routes: [...routes],
});
