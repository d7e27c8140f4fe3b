// Ask to accept a gap for 30 days. With `dryRun` everything is checked and rolled back.
import { GcosError, loadConfig, openGcos } from 'gcos';

const gcos = await openGcos(loadConfig());
try {
  const { exception, opened } = await gcos.exceptions.request(
    {
      subject: { kind: 'object', collection: 'dot_tools', code: 'DOT-117' },
      scope: 'approval',
      seconds: 30 * 24 * 3_600,
    },
    { reason: 'the approval path is being set up', as: 'member-1', dryRun: true },
  );
  console.log(
    `${exception.code} would be ${exception.status} until ${exception.expiresAt}${opened ? '' : ' (it exists already)'}`,
  );
} catch (error) {
  // Every error of GCOS has a stable code and a sentence that helps.
  if (!(error instanceof GcosError)) throw error;
  console.log(`${error.code}: ${error.message}\nhelp: ${error.help}`);
} finally {
  await gcos.close();
}
