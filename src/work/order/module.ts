// Owns the declaration of the module of work orders.
import { defineModule } from '../../db/index.js';
import { orderErrors } from './errors.js';
import orderDownSql from './schema/order.down.sql.js';
import orderSql from './schema/order.sql.js';

export const orderModule = defineModule({
  name: 'order',
  errors: [orderErrors],
  migration: { id: 33, name: 'order', up: orderSql, down: orderDownSql },
});
