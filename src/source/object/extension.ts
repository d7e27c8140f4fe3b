// Owns the home: all tables of a host, with those of its sources.
import { hostTables } from '../../host/index.js';
import tablesDownSql from './schema/tables.reverse.sql.js';
import tablesSql from './schema/tables.sql.js';

export const homeExtension = hostTables({ up: tablesSql, down: tablesDownSql });
