// What a member of gcos_api cannot do with psql, with and without a person: no signals, no findings, no work,
// no time.
import { createEstate } from '../support/estate.js';
import { memberAttacks } from './attacks/member.js';

memberAttacks(createEstate);
