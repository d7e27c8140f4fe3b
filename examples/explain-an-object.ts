// What GCOS knows about one object, scope by scope, and what would change it.
import { loadConfig, openGcos } from 'gcos';

const [collection = 'dot_tools', code = 'DOT-117'] = process.argv.slice(2);
const gcos = await openGcos(loadConfig());
try {
  const { known, whyUnknown, scopes } = await gcos.explanations.object(collection, code);
  if (!known) console.log(`unknown: ${whyUnknown}`);
  for (const { scope, sentence, links } of scopes) {
    console.log(`${scope}: ${sentence}`);
    for (const link of links) console.log(`  ${link.link}: ${link.sentence}`);
  }
} finally {
  await gcos.close();
}
