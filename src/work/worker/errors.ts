// Owns the errors of the worker process.
import { defineErrors } from '../../kernel/index.js';

export const workerErrors = defineErrors({
  worker_port_taken: {
    exit: 3,
    when: 'the worker cannot open the port for `/healthz` and `/metrics`',
    help: 'choose another port with --port, `--port 0` for any free port, or `--port off`',
  },
  worker_duty_unknown: {
    exit: 3,
    when: 'the requested duty does not exist',
    help: 'the duties are intake, scanner, promoter and supervisor',
  },
});
