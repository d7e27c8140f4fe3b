export { readCommentLinks, withCommentLink } from './comment-links.js';
export { commentStatement } from './comment-statement.js';
export { hasPassword, postgresKind, requireLocation, withoutPassword } from './kind.js';
export { PERSONAL_PATTERNS, personalCategory, personalPatterns } from './personal-column.js';
export { openPostgresSource, type PostgresSourceOptions } from './postgres-source.js';
export { visibleStatement } from './visible-statement.js';
