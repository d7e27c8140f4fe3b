export {
  type Acceptances,
  readAcceptances,
  type WrittenBaseline,
  writeBaseline,
} from './accepted.js';
export type { ConfigurationChange, ConfigurationPlan } from './change.js';
export {
  type AppliedConfiguration,
  type ApplyOptions,
  type ConfigurationPart,
  Configurations,
} from './configurations.js';
export { documentSchema } from './document.js';
export { readConfiguration } from './file.js';
export { chosenKit, writeKitRules, writeSettings } from './kit-rules.js';
export { configurationModule } from './module.js';
