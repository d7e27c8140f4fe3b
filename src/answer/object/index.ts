export { objectModule } from './module.js';
export {
  type GroupFilter,
  type GroupLine,
  type GroupPage,
  type ObjectFilter,
  type ObjectLine,
  type ObjectPage,
  Objects,
  type ScopeOwner,
} from './objects.js';
