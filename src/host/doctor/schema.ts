// Owns the schema check of the doctor: whether GCOS's schema is installed and matches this code.
import type { SchemaState } from '../../db/index.js';
import type { DoctorLine } from './report.js';

const STATUS_TEXTS: Readonly<Record<SchemaState['status'], readonly [DoctorLine['state'], string]>> = {
  absent: ['note', 'not installed yet: run `gcos init`'],
  older: ['problem', 'older than this code: run `gcos upgrade`'],
  current: ['ok', 'installed and current'],
  newer: ['problem', 'newer than this code: use the GCOS version that created it'],
  altered: ['problem', 'a recorded migration differs from the one this code knows'],
};

export function checkSchema(state: SchemaState): DoctorLine[] {
  const [kind, detail] = STATUS_TEXTS[state.status];
  const newest = state.core.at(-1);
  const at =
    newest === undefined
      ? ''
      : `, at migration ${newest.id} (${newest.name}), applied by ${newest.appliedBy}`;
  const added = state.extensions.length === 0 ? '' : `; added with init: ${state.extensions.join(', ')}`;
  return [{ section: 'schema', subject: 'GCOS schema', state: kind, detail: `${detail}${at}${added}` }];
}
