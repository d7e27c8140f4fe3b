export { orderModule } from './module.js';
export {
  readOrderedScanModes,
  readOrderedSources,
  type WorkOrder,
  type WorkOrderFilter,
  type WorkOrderPage,
  WorkOrders,
} from './orders.js';
