export { type AppliedConfiguration, Configurations } from './configurations.js';
export { documentSchema } from './document.js';
export { configurationModule } from './module.js';
export type { ConfigurationChange, ConfigurationPlan } from './plan.js';
