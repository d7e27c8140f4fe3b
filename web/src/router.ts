// The addresses of the console. Each screen is loaded when it is first opened.
import { createRouter, createWebHistory } from 'vue-router';
import { routesA } from './screens/routes-a.js';
import { routesB } from './screens/routes-b.js';

export const router = createRouter({
  history: createWebHistory(),
  scrollBehavior: (_to, _from, saved) => saved ?? undefined,
  routes: [
    ...routesA,
    ...routesB,
    { path: '/:rest(.*)*', name: 'missing', component: () => import('./screens/MissingPage.vue') },
  ],
});
