// The views of Operations, and what each duty of the workers does.
export const OPERATION_TABS = [
  { to: '/operations', title: 'Workers' },
  { to: '/operations/runs', title: 'Runs' },
  { to: '/operations/dead-letters', title: 'Dead letters' },
  { to: '/operations/held', title: 'Held signals' },
] as const;

export const DUTIES: Readonly<Record<string, string>> = {
  intake: 'follows what the host registers',
  scanner: 'evaluates what changed',
  audit: 'evaluates everything, now and then',
  promoter: 'lets signals leave once their type is active',
  seal: 'seals answers of the gate and the log',
  feed: 'numbers what changed, for subscribers',
  relay: 'delivers to webhooks',
  supervisor: 'watches the other duties',
};
