// Owns the operations on people: who they are, by which login, and what kind of approver. Only an
// administrator adds and changes them; the database decides who that is.
import type { Database, RowOf, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { type ApproverType, actorProblem } from '../approval/index.js';
import { identityErrors } from './errors.js';
import { listPeople, writePerson } from './person.sql.js';

export interface PersonLine {
  readonly person: string;
  /** The database login; null: only others act for this person. */
  readonly login: string | null;
  readonly approverType: ApproverType;
  readonly title: string;
  readonly mayActForOthers: boolean;
  readonly active: boolean;
  /** How many tokens are in force. */
  readonly tokens: bigint;
}

export interface PersonChange {
  readonly login?: string;
  /** A kind of approver; by default member. */
  readonly approverType?: ApproverType;
}

export interface PersonOptions {
  /** Do everything, show the result, and roll it back. */
  readonly dryRun?: boolean;
}

const READ = { isolation: 'repeatable read', readOnly: true } as const;
const ACT = { isolation: 'read committed', retries: 3 } as const;

const asLine = (row: RowOf<typeof listPeople>): PersonLine => ({
  person: row.person_ref,
  login: row.login,
  approverType: row.approver_type,
  title: row.title,
  mayActForOthers: row.may_act_for_others,
  active: row.active,
  tokens: row.tokens,
});

export class People {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Everyone, by name. */
  async list(): Promise<readonly PersonLine[]> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ, async (tx) => (await tx.run(listPeople, { person: null })).map(asLine));
  }

  /** Adds a person. */
  add(person: string, change: PersonChange = {}, options: PersonOptions = {}): Promise<PersonLine> {
    return this.#write(person, change, true, options);
  }

  /** Changes the login or the kind of approver: it is still the same person, with the same votes. */
  map(person: string, change: PersonChange, options: PersonOptions = {}): Promise<PersonLine> {
    return this.#write(person, change, false, options);
  }

  async #write(
    person: string,
    change: PersonChange,
    add: boolean,
    { dryRun }: PersonOptions,
  ): Promise<PersonLine> {
    await this.#installation.requireInstalled();
    if (`${person}${change.login}`.includes('\0'))
      throw identityErrors.person_invalid('a name cannot contain a null character');
    const work = (tx: Transaction) => write(tx, person, change, add);
    return dryRun ? this.#db.rehearse(ACT, work) : this.#db.transaction(ACT, work);
  }
}

async function write(
  tx: Transaction,
  person: string,
  { login = null, approverType = null }: { login?: string | null; approverType?: string | null },
  add: boolean,
): Promise<PersonLine> {
  const row = await tx.one(writePerson, { person, login, approverType, add });
  const problems: Readonly<Record<string, string>> = {
    name_invalid: 'a person needs a name of at most 100 characters, without blanks around it',
    login_missing: `the server has no login \`${login}\``,
    login_of_server: `\`${login}\` is the login of \`gcos serve\`, which has no person`,
    login_taken: `the login \`${login}\` belongs to another person`,
    kind_unknown: `there is no kind of approver \`${approverType}\``,
    person_exists: `there is a person \`${person}\` already`,
  };
  const invalid = problems[row.outcome];
  if (invalid !== undefined) throw identityErrors.person_invalid(invalid);
  if (row.outcome === 'person_unknown')
    throw identityErrors.person_unknown(`there is no person \`${person}\``);
  if (row.outcome === 'not_administrator')
    throw identityErrors.administrator_required(`the login \`${row.login}\` may not change people`);
  const problem = actorProblem(row.outcome, row.login, null, tx.trustSchema);
  if (problem !== undefined) throw problem;
  const [line] = await tx.run(listPeople, { person });
  if (line === undefined) throw identityErrors.person_unknown(`there is no person \`${person}\``);
  return asLine(line);
}
