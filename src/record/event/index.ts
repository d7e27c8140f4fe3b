export type { Severity } from './catalogue.js';
export {
  knownType,
  signalTypes,
} from './catalogue.js';
export type { Page } from './events.js';
export { Events } from './events.js';
export {
  type Delivery,
  escalateUnread,
  type Subscription,
  type SubscriptionChoice,
  type SubscriptionRequest,
} from './inbox/delivery.js';
export { Inbox } from './inbox.js';
export { eventModule } from './module.js';
export { payloadText } from './payload/schema.js';
export type { PromotionCounts } from './promotion/promote.js';
export {
  type HeldGap,
  type HeldSignal,
  type HeldType,
  type Promotion,
  promoteBatch,
  reviveHeld,
} from './promotion/promote.js';
export { type Emission, emitSignals, type Signal } from './signal/emit.js';
export type { RegisteredType } from './type/type.js';
