// Owns what was read before and is still as it was: values kept under the version of what they were read from, one per name. It holds
// nothing that could not be read again, and forgets by time, too: what no version shows (a role that may read more) is noticed then.

interface Kept {
  readonly version: string;
  readonly value: unknown;
  readonly since: number;
}

const LONGEST_MS = 60_000;

export class Memo {
  readonly #kept = new Map<string, Kept>();

  /** The value kept under `name` at `version`, else what `read` returns, which is kept. Values are shared: nobody may change them. */
  async recall<T>(name: string, version: string, read: () => Promise<T>): Promise<T> {
    const kept = this.#kept.get(name);
    if (kept?.version === version && performance.now() - kept.since < LONGEST_MS) return kept.value as T;
    const value = await read();
    this.#kept.set(name, { version, value, since: performance.now() });
    return value;
  }
}
