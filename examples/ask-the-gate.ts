// May one object go to production? Exit code 2 if not: `node ask-the-gate.ts dot_tools DOT-117`.
import { loadConfig, openGcos } from 'gcos';

const [collection = 'dot_tools', code = 'DOT-117'] = process.argv.slice(2);
const gcos = await openGcos(loadConfig());
try {
  const { answer, decisions } = await gcos.gates.check([{ collection, code }]);
  console.log(`${collection} / ${code}: ${answer}`);
  for (const { reasons, fixes } of decisions) {
    for (const { code: reason, scope, sentence } of reasons)
      console.log(`  ${reason} ${scope ?? ''}: ${sentence}`);
    for (const { what, who } of fixes) console.log(`  fix: ${what} (${who.join(', ')})`);
  }
  process.exitCode = answer === 'block' ? 2 : 0;
} finally {
  await gcos.close();
}
