// The addresses of the console. Each screen is loaded when it is first opened.
import { createRouter, createWebHistory } from 'vue-router';
import { routesB } from './screens/routes-b.js';

export const router = createRouter({
  history: createWebHistory(),
  scrollBehavior: (_to, _from, saved) => saved ?? undefined,
  routes: [
    { path: '/', name: 'overview', component: () => import('./screens/Overview.vue') },
    ...routesB,
    { path: '/:rest(.*)*', name: 'missing', component: () => import('./screens/MissingPage.vue') },
  ],
});
