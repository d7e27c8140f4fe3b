// Owns off-peak windows: a time of the day, in UTC, in which heavy work may run. The server's clock decides.
import { z } from 'zod';
import type { Transaction } from '../db/index.js';
import { readWindowRow } from './window.sql.js';

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of the day is written as HH:MM, in UTC');

/** The form of a window in a setting; null: always. */
export const windowSetting = z
  .strictObject({ from: timeOfDay, to: timeOfDay })
  .refine(({ from, to }) => from !== to, 'a window begins and ends at different times')
  .nullable();
export type Window = z.infer<typeof windowSetting>;

export interface WindowState {
  /** The window that is open now; null: it is closed. */
  readonly open: { readonly opensAt: string; readonly closesAt: string } | null;
  readonly nextAt: string;
}

export async function readWindow(tx: Transaction, window: NonNullable<Window>): Promise<WindowState> {
  const row = await tx.one(readWindowRow, window);
  const { opens_at: opensAt, closes_at: closesAt, next_at: nextAt } = row;
  return { open: opensAt === null || closesAt === null ? null : { opensAt, closesAt }, nextAt };
}
