/// <reference lib="dom" />
// What the pictures show: every screen of the console, as a person sees it who works with it.
import type { Page } from 'playwright-core';
import { VIEWER } from './viewer.js';

export interface Picture {
  /** The name of its file, before the width and the theme. */
  readonly name: string;
  readonly path: string;
  /** What the person does before the picture is taken. */
  act?(page: Page): Promise<void>;
}

/** The keys of things that the pictures show. */
export interface Shown {
  /** Requests, by what they ask for. */
  readonly requests: Readonly<Record<'exception' | 'rules', string>>;
  /** An exception and a pass that are in force. */
  readonly exception: string;
  readonly pass: string;
  readonly group: string;
  readonly finding: string;
  readonly decision: string;
}

const ask = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Ask the gate' }).click();
  await page
    .getByText(/recorded as|Recorded as/)
    .first()
    .waitFor();
};

/** As on the next visit, two days after one on which six orphans fewer and no request were there. */
async function returnAfterDays(page: Page): Promise<void> {
  const key = `gcos.visit.${VIEWER}`;
  await page.waitForFunction((name) => localStorage.getItem(name) !== null, key);
  await page.evaluate((name) => {
    const stored = JSON.parse(localStorage.getItem(name) ?? '{}');
    const { figures } = stored.latest;
    stored.latest.at = new Date(Date.now() - 2 * 86_400_000).toISOString();
    figures['orphans'] -= 6;
    figures['covered units'] -= 41;
    figures['unverified units'] += 35;
    figures['requests pending'] = 0;
    localStorage.setItem(name, JSON.stringify(stored));
  }, key);
  await page.reload();
  await page.getByText('requests pending').waitFor();
}

export const picturesOf = (of: Shown): readonly Picture[] => [
  { name: 'overview', path: '/', act: returnAfterDays },
  { name: 'ledger', path: '/ledger' },
  { name: 'units', path: '/ledger/units?scope=execution&term=orphans' },
  { name: 'map', path: '/map?scope=execution' },
  { name: 'map-owners', path: '/map?scope=execution&by=owner&size=units' },
  { name: 'findings', path: '/findings' },
  { name: 'fixes', path: '/findings?view=fixes' },
  { name: 'finding', path: `/findings/${of.finding}` },
  { name: 'objects', path: '/objects?collection=dot_tools' },
  { name: 'object', path: '/objects/dot_tools/DOT-117' },
  { name: 'groups', path: '/groups' },
  { name: 'group', path: `/groups/${of.group}` },
  { name: 'rules', path: '/rules' },
  { name: 'rules-plan', path: '/rules/plan' },
  { name: 'ruleset', path: '/rules/active' },
  { name: 'requests', path: '/requests?status=pending' },
  { name: 'request', path: `/requests/${of.requests.rules}` },
  { name: 'request-exception', path: `/requests/${of.requests.exception}` },
  {
    name: 'approve',
    path: `/requests/${of.requests.exception}`,
    act: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Approve', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'exceptions', path: '/exceptions' },
  { name: 'exception', path: `/exceptions/${of.exception}` },
  {
    name: 'exception-new',
    path: '/exceptions/new?kind=collection&collection=articles&scope=audit&link=owner',
  },
  { name: 'gate', path: '/gate?collection=dot_tools&code=DOT-117', act: ask },
  { name: 'gate-decisions', path: '/gate/decisions' },
  { name: 'gate-decision', path: `/gate/decisions/${of.decision}` },
  { name: 'gate-passes', path: '/gate/passes' },
  { name: 'gate-pass', path: `/gate/passes/${of.pass}` },
  { name: 'operations', path: '/operations' },
  { name: 'runs', path: '/operations/runs' },
  { name: 'dead-letters', path: '/operations/dead-letters' },
  { name: 'held', path: '/operations/held' },
  { name: 'sources', path: '/sources' },
  { name: 'profile', path: '/profile' },
];
