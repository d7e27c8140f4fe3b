// The three questions, for a dashboard or a health check.
import { type Answer, loadConfig, openGcos } from 'gcos';

const gcos = await openGcos(loadConfig());
try {
  const { accounted, current, production } = await gcos.status();
  const line = (question: string, { answer, why }: Answer) => console.log(`${question} ${answer}: ${why}`);
  line('Is every object accounted for?', accounted);
  line('Is that answer still true?', current);
  line('May this go to production?', production);
} finally {
  await gcos.close();
}
