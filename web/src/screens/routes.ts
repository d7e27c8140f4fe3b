// The address of every screen. Each is loaded when it is first opened.
import type { RouteRecordRaw } from 'vue-router';

export const routes: readonly RouteRecordRaw[] = [
  // What is governed, and how it stands
  { path: '/', name: 'overview', component: () => import('./Overview.vue') },
  { path: '/ledger', name: 'ledger', component: () => import('./Ledger.vue') },
  { path: '/ledger/units', name: 'units', component: () => import('./Units.vue') },
  { path: '/map', name: 'map', component: () => import('./Map.vue') },
  { path: '/findings', name: 'findings', component: () => import('./Findings.vue') },
  { path: '/findings/:code', name: 'finding', component: () => import('./FindingPage.vue') },
  { path: '/objects', name: 'objects', component: () => import('./Objects.vue') },
  { path: '/objects/:collection/:code', name: 'object', component: () => import('./ObjectPage.vue') },
  { path: '/groups', name: 'groups', component: () => import('./Groups.vue') },
  { path: '/groups/:key', name: 'group', component: () => import('./GroupPage.vue') },

  // What people decide
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

  // Whether it runs, and who is signed in
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

  { path: '/:rest(.*)*', name: 'missing', component: () => import('./MissingPage.vue') },
];
