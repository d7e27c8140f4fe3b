// Owns the kind `directus`: a Directus project, read through its database. Its address comes from where that
// of any database does.
import type { SourceKind } from '../object/index.js';
import { databaseKind, type PostgresKindOptions } from '../postgres/index.js';
import { hasDirectusProject, openDirectusSource } from './directus-source.js';

export const directusKind = (options: PostgresKindOptions): SourceKind =>
  databaseKind({ name: 'directus', open: openDirectusSource, recognizes: hasDirectusProject }, options);
