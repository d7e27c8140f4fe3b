// Owns the text that describes the missing approvals of a request. The quorum rule is in
// migration/quorum.sql.

export interface Missing {
  readonly presidents: number;
  readonly council: number;
  readonly anybody: number;
}

const NUMBERS = ['no', 'one', 'two', 'three'];

/** `one president`, `two council members`, `one more council member`. */
export function missingText(missing: Missing, risk: string): string[] {
  const missingRoles: string[] = [];
  if (missing.presidents > 0) missingRoles.push('one president');
  if (missing.council > 0) {
    const more = risk === 'high' && missing.council < 2 ? ' more' : '';
    missingRoles.push(
      `${NUMBERS[missing.council] ?? missing.council}${more} council member${missing.council === 1 ? '' : 's'}`,
    );
  }
  if (missing.anybody > 0) missingRoles.push('one approval, by any person but the proposer');
  return missingRoles;
}
