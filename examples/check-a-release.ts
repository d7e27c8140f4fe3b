// Ask about everything a release touches in one check, and print only what stops it.
import { type GateQuestion, loadConfig, openGcos } from 'gcos';

const release: readonly GateQuestion[] = [
  { collection: 'dot_tools', code: 'DOT-117' },
  { collection: 'dot_tools', code: 'DOT-118' },
  { collection: 'articles', code: 'A-100045', action: 'write' },
];

const gcos = await openGcos(loadConfig());
try {
  const check = await gcos.gates.check(release, { deadlineMs: 5_000 });
  const blocked = check.decisions.filter((decision) => decision.answer === 'block');
  console.log(`check ${check.id}: ${blocked.length} of ${check.decisions.length} blocked`);
  for (const { subject, reasons } of blocked)
    console.log(
      `  ${'code' in subject ? subject.code : subject.group}: ${reasons.map((each) => each.code).join(', ')}`,
    );
} finally {
  await gcos.close();
}
