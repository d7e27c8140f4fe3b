// `gcos gate`: may this go to production?
import { Command } from 'commander';
import { addBreakGlass } from './gate-break-glass.js';

export function gateCommand(): Command {
  return addBreakGlass(new Command('gate').description('may this go to production, and the way past a no'));
}
