// Evaluate what is dirty or stale; Ctrl-C stops it cleanly.
import { loadConfig, openGcos } from 'gcos';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const gcos = await openGcos(loadConfig(), { signal: stop.signal });
try {
  const report = await gcos.scans.run({
    mode: 'incremental',
    signal: stop.signal,
    onProgress: ({ step, done, total }) => console.error(`${step}: ${done} of ${total}`),
  });
  console.log(
    `${report.runId}: ${report.evaluated} evaluated, ${report.changed} changed, ${report.findings.raised} findings raised`,
  );
} finally {
  await gcos.close();
}
