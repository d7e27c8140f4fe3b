export { COMMENT_LINKS, readCommentLinks, withCommentLink } from './comment-links.js';
export { commentStatement } from './comment-statement.js';
export {
  databaseKind,
  hasPassword,
  type PostgresKindOptions,
  postgresKind,
  requireLocation,
  withoutPassword,
} from './kind.js';
export {
  PERSONAL_PATTERNS,
  type PersonalPatterns,
  personalCategory,
  personalPatterns,
} from './personal-column.js';
export { openPostgresSource, type PostgresSourceOptions } from './postgres-source.js';
export { visibleStatement } from './visible-statement.js';
