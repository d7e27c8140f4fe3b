export { onceModule } from './module.js';
export { type ActKey, actOnce, type KeptAnswer } from './once.js';
