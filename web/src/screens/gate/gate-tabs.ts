// The views of the gate, and how its answers read.
export const GATE_TABS = [
  { to: '/gate', title: 'Ask' },
  { to: '/gate/decisions', title: 'Decisions' },
  { to: '/gate/passes', title: 'Break-glass passes' },
] as const;

export const STAGES = ['design', 'impl', 'route', 'prod'] as const;
export const GATE_ACTIONS = ['read', 'write', 'execute'] as const;
export const ANSWERS = ['allow', 'block', 'allow_and_rescan'] as const;

/** A stage that only observes lets pass what it would block; the word says both. */
export const answerMark = ({ answer, mode }: { readonly answer: string; readonly mode: string }) => ({
  tone:
    answer === 'allow'
      ? ('good' as const)
      : answer === 'block' && mode === 'enforce'
        ? ('bad' as const)
        : ('warn' as const),
  label:
    answer === 'block'
      ? mode === 'enforce'
        ? 'block'
        : 'would block (only observed)'
      : answer === 'allow_and_rescan'
        ? 'allow, and scan again'
        : answer,
});
