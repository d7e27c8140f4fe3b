// Owns how a fix is said: what to do and where, in one line. It never says how an owner decides.

/** What a link is called when it is to be given to something. */
const LINKS: Readonly<Record<string, string>> = {
  approval: 'an approval path',
  audit: 'an audit reference',
  rollback: 'a way back (rollback)',
  issue_event: 'an event type that is registered and active',
  law_ref: 'a law reference',
  design_ref: 'a design reference',
  dot_authority: 'an authority that is an active body',
  heartbeat: 'a heartbeat',
};

export interface GapPlace {
  readonly action: string;
  readonly link: string;
  readonly kind: string;
  readonly subject: string;
  readonly collection: string | null;
  readonly scope: string | null;
}

const inScope = (scope: string | null): string => (scope === null ? '' : ` in scope ${scope}`);

/** The words of a fix for missing links. */
export function gapText({ action, link, kind, subject, collection, scope }: GapPlace): string {
  const place = kind === 'object' ? `\`${collection}\` / \`${subject}\`` : `${kind} \`${subject}\``;
  if (action === 'name_owner') return `name an accountable owner for ${place}${inScope(scope)}`;
  if (action === 'choose_owner') return `settle which of its owners answers for ${place}${inScope(scope)}`;
  return `give ${place} ${LINKS[link] ?? `the link ${link}`}${inScope(scope)}`;
}

export interface FindingPlace {
  readonly type: string;
  readonly subject: string;
  readonly scope: string | null;
  readonly entity_type: string | null;
  readonly entity_code: string | null;
  readonly closed_when: string;
}

/** The words of a fix for one finding; a type that nobody gave words to says when it closes. */
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
      return `renew or take back exception ${code}`;
    case 'unratified_exception':
      return `have exception ${code} approved, or end it`;
    case 'delegation_expired':
      return `renew or close the delegation of \`${subject}\`${scope}`;
    case 'direct_write_bypass':
      return `have the change \`${subject}\` of ${code} approved afterwards, or undone`;
    case 'island_detected':
      return `enter ${code} in governance_registry, or let a body that is there take over what it declares`;
    case 'phantom_gap':
      return `end the ownership of \`${subject}\`${scope}, or have it born`;
    case 'issue_event_gap':
      return `register and activate the event type ${code}`;
    default:
      return `${finding.entity_type ?? 'subject'} ${code}${scope}: ${closed_when}`;
  }
}
