export { syncWebhookFindings } from './findings.js';
export type { WebhookFormat } from './message.js';
export { relayModule } from './module.js';
export { RELAY_LEASE, Relay } from './relay.js';
export type { Webhook } from './webhook.js';
export { WEBHOOK_FORMATS, type WebhookRequest, Webhooks } from './webhooks.js';
