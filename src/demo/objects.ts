// Owns the examples of `gcos up` on a demo estate: two objects, and the people who put its rules into force.

const TOOLS = 'dot_tools';

export const DEMO_OBJECTS = {
  /** High risk, and a required link is missing: the gate blocks it. */
  blocked: { collection: TOOLS, code: 'DOT-117' },
  /** High risk, with every link: the gate allows it. */
  allowed: { collection: TOOLS, code: 'DOT-118' },
} as const;

/**
 * The demo's people: proposer, approvers and operator. One login acts for all of them, shown as unverified.
 */
export const DEMO_PEOPLE = {
  proposer: 'member-1',
  approvers: ['president', 'council-1', 'council-2'],
  operator: 'operator',
} as const;
