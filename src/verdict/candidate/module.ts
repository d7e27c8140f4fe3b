// Owns the parts of this module: the tables of verdicts and the function that carries them over.
import { defineModule } from '../../db/index.js';
import { candidateErrors } from './errors.js';
import { defaultTtl } from './rules.js';
import candidateDownSql from './schema/candidate.down.sql.js';
import candidateSql from './schema/candidate.sql.js';
import carryFunctionSql from './schema/carry.sql.js';
import matchFunctionSql from './schema/match.sql.js';
import requestedSql from './schema/requested.sql.js';
import runsSql from './schema/runs.sql.js';
import { highRiskWrite } from './settings.js';

export const candidateModule = defineModule({
  name: 'candidate',
  settings: [defaultTtl, highRiskWrite],
  errors: [candidateErrors],
  migration: {
    id: 12,
    name: 'candidate',
    up: [candidateSql, runsSql, requestedSql, matchFunctionSql, carryFunctionSql].join('\n'),
    down: candidateDownSql,
  },
});
