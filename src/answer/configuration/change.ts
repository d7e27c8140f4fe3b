// Owns the public form of a comparison of gcos.yaml with the database.

export interface ConfigurationChange {
  readonly kind: 'body' | 'setting' | 'source' | 'profile' | 'detector' | 'exception';
  /**
   * The code of a body, the key of a setting, the name of a source, a row of a kit; what an exception is
   * about.
   */
  readonly subject: string;
  /** release: gcos.yaml no longer names it; it stays as it is, and is no longer managed. */
  readonly change: 'create' | 'change' | 'none' | 'release';
  /** Whether it differs from what the last application left. */
  readonly edited: boolean;
  readonly from: unknown;
  readonly to: unknown;
}

export interface ConfigurationPlan {
  readonly file: string;
  readonly changes: readonly ConfigurationChange[];
  /** How many tables and columns the data contracts give links, and how many patterns there are. */
  readonly contracts: number;
  readonly patterns: number;
  readonly disagreements: readonly string[];
}
