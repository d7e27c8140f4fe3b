// Owns the errors of questions to the gate, and the reasons for a missing answer. An undecided question is
// not an error for the caller: it is a block.
import { defineErrors } from '../../kernel/index.js';

export const gateErrors = defineErrors({
  gate_invalid: {
    exit: 3,
    when: 'a gate check names no subject, or an unknown stage or action',
    help: 'give a collection and a code, --group with a key, or --file with a manifest; stages are design, impl, route, prod; actions read, write, execute',
  },
  gate_manifest_invalid: {
    exit: 3,
    when: 'a manifest is not valid JSON of the required form',
    help: 'a manifest is a list of {"collection": …, "code": …} or {"group": …}, each with an optional stage and action; or {"stage": …, "action": …, "items": […]}',
  },
  gate_manifest_key_repeated: {
    exit: 3,
    when: 'a manifest writes the same key twice in one object: readers could take either value',
    help: 'write each key once; the message names the key',
  },
  gate_timeout: {
    exit: 2,
    when: 'the gate had no answer before its deadline: it blocks',
    help: 'raise --timeout, or find out why the database is slow; `gcos doctor` checks the usual causes',
  },
  gate_unrecorded: {
    exit: 2,
    when: 'an answer could not be recorded, or is missing for one of the questions: the gate blocks',
    help: 'see the message of the server; an answer only counts if it is recorded',
  },
  gate_prune_too_young: {
    exit: 3,
    when: 'decisions are to be pruned that are younger than the minimum age',
    help: 'give an earlier --before; the setting `prune.minimum_age` has the number of days',
  },
  gate_decision_unknown: {
    exit: 3,
    when: 'no check of the gate has that number',
    help: '`gcos gate list` shows the latest checks; older ones may have been pruned',
  },
});
