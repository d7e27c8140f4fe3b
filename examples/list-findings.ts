// Every open critical finding, page by page.
import { loadConfig, openGcos } from 'gcos';

const gcos = await openGcos(loadConfig());
try {
  let after: string | undefined;
  let count = 0;
  do {
    const page = await gcos.findings.list({
      severity: 'critical',
      limit: 20,
      ...(after === undefined ? {} : { after }),
    });
    for (const { code, type, routes } of page.findings) {
      count += 1;
      if (count <= 5) console.log(`${code}  ${type}  for ${routes.join(', ')}`);
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  console.log(`${count} critical findings are open`);
} finally {
  await gcos.close();
}
