// Owns the errors of work that people order from the workers.
import { defineErrors } from '../../kernel/index.js';

export const orderErrors = defineErrors({
  work_order_unknown: {
    exit: 3,
    when: 'no work order has that number',
    help: '`GET /api/v1/work-orders` lists them; they are kept for 30 days',
  },
});
