// Owns the text that describes the missing approvals of a request. The quorum rule is in
// migration/policy.sql.

/** What a quorum still needs of one kind of approver; kind `any`: of every kind. */
export interface Missing {
  readonly kind: string;
  readonly title: string;
  readonly needed: number;
  readonly missing: number;
}

const NUMBERS = ['no', 'one', 'two', 'three'];

/** `one president`, `two council members`, `one more council member`. */
export function missingText(missing: readonly Missing[]): string[] {
  return missing.map((each) => {
    const more = each.missing < each.needed ? ' more' : '';
    const count = `${NUMBERS[each.missing] ?? each.missing}${more}`;
    const plural = each.missing === 1 ? '' : 's';
    return each.kind === 'any'
      ? `${count} approval${plural}, by any person who may decide`
      : `${count} ${each.title}${plural}`;
  });
}
