// Opens GCOS on a database as a command does.
import { type Gcos, loadConfig, openGcos } from '../../src/index.js';

export function openAt(url: string, environment: Record<string, string> = {}): Promise<Gcos> {
  return openGcos(loadConfig({ DATABASE_URL: url, GCOS_STATEMENT_TIMEOUT: '30s', ...environment }, '/'));
}
