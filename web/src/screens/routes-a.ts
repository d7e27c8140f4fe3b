// The addresses of the screens about what is governed: overview, ledger, map, findings, objects.
import type { RouteRecordRaw } from 'vue-router';

export const routesA: readonly RouteRecordRaw[] = [
  { path: '/', name: 'overview', component: () => import('./Overview.vue') },
  { path: '/ledger', name: 'ledger', component: () => import('./Ledger.vue') },
  { path: '/ledger/units', name: 'units', component: () => import('./Units.vue') },
  { path: '/findings', name: 'findings', component: () => import('./Findings.vue') },
  { path: '/findings/:code', name: 'finding', component: () => import('./FindingPage.vue') },
  { path: '/objects', name: 'objects', component: () => import('./Objects.vue') },
  { path: '/objects/:collection/:code', name: 'object', component: () => import('./ObjectPage.vue') },
  { path: '/groups', name: 'groups', component: () => import('./Groups.vue') },
  { path: '/groups/:key', name: 'group', component: () => import('./GroupPage.vue') },
];
