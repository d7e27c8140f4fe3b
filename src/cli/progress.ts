// Owns the progress bar: on a terminal one line that is redrawn, elsewhere one line at the end.
import { formatDuration } from '../kernel/index.js';
import { visible } from './visible.js';

export interface Progress {
  /** `detail` names the current step. */
  update(done: number, total: number, detail?: string): void;
  /** Ends the bar; `summary` replaces it. */
  finish(summary?: string): void;
}

const WIDTH = 28;
const REDRAW_MS = 80;

function bar(share: number): string {
  const full = Math.round(share * WIDTH);
  return `[${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}]`;
}

export function startProgress(title: string, options: { quiet: boolean; terminal: boolean }): Progress {
  const name = visible(title);
  const started = performance.now();
  let drawn = 0;
  const clear = () => process.stderr.write('\r\x1b[2K');
  return {
    update(done, total, detail = '') {
      const now = performance.now();
      if (options.quiet || !options.terminal || (now - drawn < REDRAW_MS && done < total)) return;
      drawn = now;
      const share = total > 0 ? Math.min(1, done / total) : 0;
      const left = share > 0.02 ? `, ${formatDuration(((now - started) / share) * (1 - share))} left` : '';
      const text = `${name} ${bar(share)} ${String(Math.floor(share * 100)).padStart(3)} %${left}  ${visible(detail)}`;
      clear();
      process.stderr.write(text.slice(0, (process.stderr.columns ?? 100) - 1));
    },
    finish(summary) {
      if (options.quiet) return;
      if (options.terminal) clear();
      const took = formatDuration(performance.now() - started);
      process.stderr.write(`${name}: ${visible(summary ?? 'done')} (${took})\n`);
    },
  };
}
