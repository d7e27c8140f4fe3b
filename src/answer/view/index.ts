// Owns the summary views: what people ask for, as tables of a few rows that anything which speaks SQL can show.
import type { Migration } from '../../db/index.js';
import viewsDownSql from './views.down.sql.js';
import viewsSql from './views.sql.js';

export const viewMigration: Migration = { id: 18, name: 'view', up: viewsSql, down: viewsDownSql };
