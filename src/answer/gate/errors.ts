// Owns what can be wrong with a question to the gate, and why it may have no answer. What cannot be decided is no error for whoever asks: it is a block.
import { defineErrors } from '../../kernel/index.js';

export const gateErrors = defineErrors({
  gate_invalid: {
    exit: 3,
    when: 'the gate is asked about nothing, or at a stage or for an action it does not know',
    help: 'give a collection and a code, --group with a key, or --file with a manifest; stages are design, impl, route, prod; actions read, write, execute',
  },
  gate_manifest_invalid: {
    exit: 3,
    when: 'a manifest is not JSON of the form the gate reads',
    help: 'a manifest is a list of {"collection": …, "code": …} or {"group": …}, each with an optional stage and action; or {"stage": …, "action": …, "items": […]}',
  },
  gate_timeout: {
    exit: 2,
    when: 'the gate had no answer before its deadline: that is a block',
    help: 'raise --timeout, or look for what holds the database up; `gcos doctor` checks the usual causes',
  },
  gate_unrecorded: {
    exit: 2,
    when: 'an answer could not be recorded, or did not come back for everything that was asked: that is a block',
    help: 'see the message of the server; an answer that nobody can look up later is none',
  },
  gate_decision_unknown: {
    exit: 3,
    when: 'no check of the gate has that number',
    help: '`gcos gate list` shows the last ones; those before a pruning are gone',
  },
});
