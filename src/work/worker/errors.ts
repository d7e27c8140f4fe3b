// Owns the errors of the worker process.
import { defineErrors } from '../../kernel/index.js';

export const workerErrors = defineErrors({
  worker_port_taken: {
    exit: 3,
    when: 'the worker cannot open the port for `/healthz`, `/readyz` and `/metrics`',
    help: 'choose another port with --port, `--port 0` for any free port, or `--port off`',
  },
  worker_host_invalid: {
    exit: 3,
    when: 'the address for `/healthz`, `/readyz` and `/metrics` is none of this machine',
    help: 'give an address of this machine with --host, for example 127.0.0.1, or 0.0.0.0 for all of them',
  },
  worker_duty_unknown: {
    exit: 3,
    when: 'the requested duty does not exist',
    help: 'the duties are intake, scanner, audit, promoter, seal, feed, relay, supervisor and sync',
  },
  audit_not_closed: {
    exit: 2,
    when: 'the full scan of a worker did not close a ledger, or lost its lease',
    help: '`gcos scan status` shows the run and its error; the worker tries again, with growing pauses',
  },
});
