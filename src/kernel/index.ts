export {
  canonicalErrors,
  canonicalJson,
  domainHash,
  type JsonValue,
  parseExactJson,
  plainJson,
} from './canonical-json.js';
export {
  type Config,
  type ConnectionTarget,
  configErrors,
  configurationOptions,
  type Environment,
  loadConfig,
  namesTarget,
  type TlsSettings,
  withoutTarget,
} from './config.js';
export { pageCursor, readCursor } from './cursor.js';
export { formatDuration, parseDuration } from './duration.js';
export type { ErrorDetail, ErrorKind } from './errors.js';
export {
  defineErrors,
  type ErrorFamily,
  type ErrorKinds,
  type ExitCode,
  GcosError,
  hasCode,
} from './errors.js';
export { createFile, ensureFile, replaceFile } from './file.js';
export {
  EXPOSITION_TYPE,
  exposeSamples,
  Instruments,
  type MetricDeclarations,
  type MetricSample,
  type MetricSamples,
} from './metric.js';
export { nearestName } from './nearest.js';
export { defineStage, type StageContract } from './stage.js';
export { storableJson, storableText } from './text.js';
export {
  LONGEST_PAGE,
  requireAddress,
  requireForm,
  requireId,
  requireKnown,
  requireLimit,
  requirePosition,
  requireText,
  requireTime,
  requireWhole,
  unknownName,
  valueErrors,
} from './value.js';
export { fromWireTime, toWire } from './wire.js';
export { parseYaml, setInYaml, type YamlFile, yamlErrors } from './yaml.js';
