// Owns the doctor's check of the login for detectors: whether its temporary files are limited, which only a
// superuser can do.
import { quoteIdentifier, type Transaction } from '../../db/index.js';
import { readTemporaryFiles } from './reader.sql.js';
import type { DoctorLine } from './report.js';

export async function checkReader(tx: Transaction, role: string): Promise<DoctorLine[]> {
  const { limited_to: limit } = await tx.one(readTemporaryFiles, { role });
  if (limit !== '-1') return [];
  return [
    {
      section: 'privilege',
      subject: `role ${role}`,
      state: 'note',
      detail: `no limit for the temporary files of detectors; a superuser can set one: \`alter role ${quoteIdentifier(role)} set temp_file_limit = '1GB'\``,
    },
  ];
}
