// The addresses of the screens on which people act.
import type { RouteRecordRaw } from 'vue-router';

export const routesB: readonly RouteRecordRaw[] = [
  { path: '/rules', name: 'rules', component: () => import('./rules/Rules.vue') },
  { path: '/rules/plan', name: 'rules-plan', component: () => import('./rules/RulesPlan.vue') },
  { path: '/rules/:version', name: 'ruleset', component: () => import('./rules/RulesVersion.vue') },
  { path: '/requests', name: 'requests', component: () => import('./requests/Requests.vue') },
  { path: '/requests/:code', name: 'request', component: () => import('./requests/RequestPage.vue') },
  { path: '/exceptions', name: 'exceptions', component: () => import('./exceptions/Exceptions.vue') },
  {
    path: '/exceptions/new',
    name: 'exception-new',
    component: () => import('./exceptions/ExceptionNew.vue'),
  },
  { path: '/exceptions/:code', name: 'exception', component: () => import('./exceptions/ExceptionPage.vue') },
  { path: '/gate', name: 'gate', component: () => import('./gate/GateAsk.vue') },
  { path: '/gate/decisions', name: 'gate-decisions', component: () => import('./gate/GateDecisions.vue') },
  { path: '/gate/decisions/:id', name: 'gate-decision', component: () => import('./gate/GateDecision.vue') },
  { path: '/gate/passes', name: 'gate-passes', component: () => import('./gate/GatePasses.vue') },
  { path: '/gate/passes/:code', name: 'gate-pass', component: () => import('./gate/GatePass.vue') },
  { path: '/operations', name: 'operations', component: () => import('./operations/Workers.vue') },
  { path: '/operations/runs', name: 'runs', component: () => import('./operations/Runs.vue') },
  {
    path: '/operations/dead-letters',
    name: 'dead-letters',
    component: () => import('./operations/DeadLetters.vue'),
  },
  { path: '/operations/held', name: 'held-signals', component: () => import('./operations/HeldSignals.vue') },
  { path: '/sources', name: 'sources', component: () => import('./Sources.vue') },
  { path: '/profile', name: 'profile', component: () => import('./Profile.vue') },
];
