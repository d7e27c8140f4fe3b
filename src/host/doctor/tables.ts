// Owns the table checks of the doctor: one line per table of the contract, with the effect of a difference.
import type { DiscoveredTable, MemberRegistries } from '../discovery.js';
import type { DoctorLine } from './report.js';

function describe(table: DiscoveredTable): Pick<DoctorLine, 'state' | 'detail' | 'rows'> {
  const { contract, shape, facts } = table;
  const bad = contract.required ? 'problem' : 'degraded';
  if (shape.state === 'absent') return { state: bad, detail: `absent: ${contract.without}` };
  if (shape.state === 'different')
    return { state: bad, detail: `different shape: ${shape.problems.join('; ')}: ${contract.without}` };
  if (facts?.rowSecurityApplies) {
    return {
      state: bad,
      detail: 'row-level security would hide rows from this role, so GCOS refuses to read the table',
    };
  }
  if (!facts?.maySelect)
    return { state: bad, detail: `present, but this role may not read it: ${contract.without}` };
  const rows = facts.estimatedRows;
  return { state: 'ok', detail: `present, about ${rows.toLocaleString('en-US')} rows`, rows };
}

export function checkTables(tables: readonly DiscoveredTable[], members: MemberRegistries): DoctorLine[] {
  const lines = tables.map(
    (table): DoctorLine => ({ section: 'table', subject: table.contract.name, ...describe(table) }),
  );
  if (members.present.length + members.missing.length > 0) {
    const missing =
      members.missing.length === 0
        ? ''
        : `; missing: ${members.missing.join(', ')} (their objects stay unresolved)`;
    lines.push({
      section: 'table',
      subject: 'member registries',
      state: members.missing.length === 0 ? 'ok' : 'degraded',
      detail: `${members.present.length} found through meta_catalog${missing}`,
    });
  }
  return lines;
}
