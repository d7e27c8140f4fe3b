// Owns the setting that hands contracts and patterns to every sync, of a command or of a worker.
// INVARIANT: a sync reads no file of a repository. What gcos.yaml says is in the database, as data.
import { z } from 'zod';
import { defineModule, defineSetting, readSetting, type Transaction } from '../../db/index.js';
import { type LinkPlaces, placesOf } from './place.js';

const text = z.string().min(1).max(2_000);
const links = z.record(z.string().regex(/^[a-z][a-z0-9_]{0,31}$/), text);

/** What contracts and patterns say of objects. */
export const sourceLinks = defineSetting<LinkPlaces>({
  key: 'source.links',
  form: z.strictObject({
    contracts: z.array(
      z.strictObject({ source: text.optional(), kind: z.enum(['table', 'column']), code: text, links }),
    ),
    patterns: z.array(
      z.strictObject({ source: text.optional(), match: text, class: text.optional(), links }),
    ),
  }),
  default: { contracts: [], patterns: [] },
  about:
    'What data contracts and patterns say of the objects of sources, as `gcos config apply` wrote it from gcos.yaml; in force with the next sync',
});

export const linkModule = defineModule({ name: 'link', settings: [sourceLinks] });

/** The places of a source, as the setting has them now. */
export async function readPlaces(tx: Transaction, source: string): Promise<LinkPlaces> {
  return placesOf(await readSetting(tx, sourceLinks), source);
}
