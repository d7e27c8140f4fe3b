// Clients that ask the gate over HTTP, by AuthZEN and by the API of GCOS, and remember what they were
// permitted; and the comparison of what they remember with what the database recorded.
import { asHost } from './database.js';

export interface Subject {
  readonly collection: string;
  readonly code: string;
}

interface Permitted extends Subject {
  /** The decision as its answer named it. */
  readonly id: string;
}

export interface Remembered {
  /** Every permit that a client received. */
  readonly permits: Permitted[];
  checks: number;
  denied: number;
  /** Answers of a server that could not decide, by status. */
  readonly refused: Map<number, number>;
  /** Requests that got no whole answer. */
  broken: number;
  /** Answers that permit and are no answer of the gate: there must be none. */
  readonly wrong: string[];
}

const subject = { type: 'workload', id: 'release' };
const action = { name: 'execute' };

interface Asking {
  readonly url: string;
  readonly token: string;
  readonly subjects: readonly Subject[];
}

const resourceOf = ({ collection, code }: Subject) => ({ type: collection, id: code });

/** The requests that the clients alternate: one evaluation, five, and five by the API of GCOS. */
const REQUESTS: readonly ((subjects: readonly Subject[]) => {
  readonly path: string;
  readonly body: object;
})[] = [
  ([first]) => ({
    path: '/access/v1/evaluation',
    body: { subject, action, resource: first === undefined ? {} : resourceOf(first) },
  }),
  (subjects) => ({
    path: '/access/v1/evaluations',
    body: { subject, action, evaluations: subjects.map((each) => ({ resource: resourceOf(each) })) },
  }),
  (subjects) => ({ path: '/api/v1/gate/check', body: { items: subjects } }),
];

interface Answer {
  readonly decision?: unknown;
  readonly context?: { readonly decision_id?: unknown };
  readonly evaluations?: readonly Answer[];
  readonly decisions?: readonly { readonly id: string; readonly answer: string; readonly mode: string }[];
}

/** Whether each subject may proceed, and by which decision, whatever the API. */
function readAnswer(body: Answer): readonly { readonly may: boolean; readonly id: unknown }[] {
  if (body.decisions !== undefined)
    return body.decisions.map(({ id, answer, mode }) => ({
      may: answer !== 'block' || mode === 'observe',
      id,
    }));
  return (body.evaluations ?? [body]).map(({ decision, context }) => ({
    may: decision === true,
    id: context?.decision_id,
  }));
}

/** One request; remembers every permit in its answer, whatever the status. */
async function askOnce(asking: Asking, kind: number, remembered: Remembered): Promise<boolean> {
  const { url, token, subjects } = asking;
  const start = Math.floor(Math.random() * subjects.length);
  const five = Array.from({ length: 5 }, (_, turn) => subjects[(start + turn) % subjects.length] as Subject);
  const request = REQUESTS[kind % REQUESTS.length]?.(five);
  if (request === undefined) return true;
  const asked = request.path === '/access/v1/evaluation' ? five.slice(0, 1) : five;
  remembered.checks += asked.length;
  let status: number;
  let body: Answer;
  try {
    const response = await fetch(`${url}${request.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(request.body),
    });
    status = response.status;
    body = (await response.json()) as Answer;
  } catch {
    remembered.broken += 1;
    return false;
  }
  const answers = status === 200 || body.decision === true ? readAnswer(body) : [];
  if (status !== 200) remembered.refused.set(status, (remembered.refused.get(status) ?? 0) + 1);
  if (answers.length > 0 && (status !== 200 || answers.length !== asked.length))
    remembered.wrong.push(`${status} ${JSON.stringify(body).slice(0, 200)}`);
  answers.forEach(({ may, id }, index) => {
    const about = asked[index];
    if (!may) remembered.denied += 1;
    else if (about !== undefined) remembered.permits.push({ ...about, id: String(id) });
  });
  return status === 200;
}

/** `clients` at once ask until `checks` questions were asked. */
export async function askManyTimes(
  asking: Asking & { readonly clients: number; readonly checks: number },
): Promise<Remembered> {
  const remembered: Remembered = {
    ...{ permits: [], checks: 0, denied: 0, refused: new Map(), broken: 0, wrong: [] },
  };
  const client = async (number: number) => {
    for (let turn = number; remembered.checks < asking.checks; turn += 1) {
      const decided = await askOnce(asking, turn, remembered);
      // A client that was refused asks again a little later, as one that retries does.
      if (!decided) await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 60));
    }
  };
  await Promise.all(Array.from({ length: asking.clients }, (_, number) => client(number)));
  return remembered;
}

/** The permits without a committed row that says the same of the same subject. */
export async function unrecorded(url: string, permits: readonly Permitted[]): Promise<readonly string[]> {
  const given = JSON.stringify(permits);
  const rows = await asHost(
    url,
    `select p.id from jsonb_to_recordset($given$${given}$given$) as p(id text, collection text, code text)
     where not exists (
       select from gcos_trust.governance_gate_decision d
       where d.check_id || '.' || d.item_no = p.id and d.check_id = split_part(p.id, '.', 1)::bigint
         and d.collection_name = p.collection and d.entity_code = p.code
         and (d.answer <> 'block' or d.mode = 'observe'))`,
  );
  return rows.map((row) => String(row['id']));
}

export const countsOf = ({ permits, checks, denied, refused, broken }: Remembered): string =>
  [
    `${checks} checks: ${permits.length} permitted, ${denied} denied`,
    ...[...refused].sort().map(([status, times]) => `${times} × ${status}`),
    `${broken} without an answer`,
  ].join(', ');

/** Objects that are covered in every scope that requires coverage, as built: the gate allows them. */
export async function permittedSubjects(url: string): Promise<readonly Subject[]> {
  const rows = await asHost(
    url,
    `select collection_name as collection, entity_code as code from governance_candidate_object where row_state = 'active' and entity_code <> ''
     group by 1, 2 having bool_and(candidate_verdict <> 'relevant' or coverage_outcome = 'covered') order by 1, 2 limit 400`,
  );
  return rows.map((row) => ({ collection: String(row['collection']), code: String(row['code']) }));
}
