import type { Migration } from '../../db/index.js';

import actsSql from './schema/acts.sql.js';
import breakGlassDownSql from './schema/break-glass.down.sql.js';
import standingSql from './schema/standing.sql.js';
import tablesSql from './schema/tables.sql.js';

export { breakGlassErrors } from './errors.js';
export {
  type AskedPass,
  BREAK_GLASS_ACTION,
  type Pass,
  type PassPage,
  type PassStanding,
  type PassSubject,
  type PassWish,
  readPasses,
} from './pass.js';
export { BreakGlass, type PassOptions } from './passes.js';
export { settleBreakGlass } from './settle.js';

export const breakGlassMigration: Migration = {
  id: 20,
  name: 'break-glass',
  up: [tablesSql, standingSql, actsSql].join('\n'),
  down: breakGlassDownSql,
};
