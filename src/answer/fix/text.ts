// Owns the wording of a fix: what to do and where, in one line. It does not prescribe the decision of an
// owner.

/** Each link as a noun, for reasons and fixes. */
const LINKS: Readonly<Record<string, string>> = {
  owner: 'accountable owner',
  approval: 'approval path',
  audit: 'audit reference',
  rollback: 'rollback path',
  issue_event: 'event type that is registered and active',
  law_ref: 'law reference',
  design_ref: 'design reference',
  dot_authority: 'authority that is an active body',
  heartbeat: 'heartbeat',
};

export const linkNoun = (link: string): string => LINKS[link] ?? `link \`${link}\``;
const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

export interface GapPlace {
  readonly action: string;
  readonly link: string;
  readonly kind: string;
  readonly subject: string;
  readonly collection: string | null;
  readonly scope: string | null;
}

const inScope = (scope: string | null): string => (scope === null ? '' : ` in scope ${scope}`);

/** The text of a fix for missing links. */
export function gapText({ action, link, kind, subject, collection, scope }: GapPlace): string {
  const place = kind === 'object' ? `\`${collection}\` / \`${subject}\`` : `${kind} \`${subject}\``;
  if (action === 'name_owner') return `name an accountable owner for ${place}${inScope(scope)}`;
  if (action === 'choose_owner')
    return `decide which of its owners is accountable for ${place}${inScope(scope)}`;
  return `give ${place} ${withArticle(linkNoun(link))}${inScope(scope)}`;
}

export interface FindingPlace {
  readonly type: string;
  readonly subject: string;
  readonly scope: string | null;
  readonly entity_type: string | null;
  readonly entity_code: string | null;
  readonly closed_when: string;
}

/** The text of a fix for one finding; a type without a text of its own shows its closing condition. */
export function findingText(finding: FindingPlace): string {
  const { type, subject, closed_when } = finding;
  const code = `\`${finding.entity_code ?? subject}\``;
  const scope = inScope(finding.scope);
  switch (type) {
    case 'axis_unregistered':
      return `register axis \`${subject}\``;
    case 'axis_owner_gap':
      return `name an owner for axis ${code}${scope}`;
    case 'classification_policy_unowned':
      return `name an owner for the classifying rule ${code}${scope}`;
    case 'exception_expired':
      return `renew or revoke exception ${code}`;
    case 'unratified_exception':
      return `have exception ${code} approved, or end it`;
    case 'delegation_expired':
      return `renew or close the delegation of \`${subject}\`${scope}`;
    case 'direct_write_bypass':
      return `have the change \`${subject}\` of ${code} approved afterwards, or undone`;
    case 'island_detected':
      return `enter ${code} in governance_registry, or assign its declarations to a registered body`;
    case 'phantom_gap':
      return `end the ownership of \`${subject}\`${scope}, or register its birth`;
    case 'issue_event_gap':
      return `register and activate the event type ${code}`;
    default:
      return `resolve the finding about ${finding.entity_type ?? 'subject'} ${code}${scope}: ${closed_when}`;
  }
}
