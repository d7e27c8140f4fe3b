// Owns the errors of the worker process.
import { defineErrors } from '../../kernel/index.js';

export const workerErrors = defineErrors({
  worker_port_taken: {
    exit: 3,
    when: 'the port for `/healthz` and `/metrics` cannot be listened on',
    help: 'choose another one with --port, 0 for any that is free, or `--port off`',
  },
  worker_duty_unknown: {
    exit: 3,
    when: 'a worker is asked for a duty that does not exist',
    help: 'the duties are intake, promoter and supervisor',
  },
});
