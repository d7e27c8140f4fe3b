// Owns the operations on people: who they are, by which login or subject of a provider, what kind of
// approver, and erasing them. Only an administrator does that; the database decides who that is.
import type { Database, RowOf, Transaction } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import { type ApproverType, actorProblem } from '../approval/index.js';
import { identityErrors } from './errors.js';
import { erasePerson, forgetRecipient, listPeople, mapIdentity, writePerson } from './person.sql.js';

export interface PersonLine {
  readonly person: string;
  /** The database login; null: only others act for this person. */
  readonly login: string | null;
  readonly approverType: ApproverType;
  readonly title: string;
  readonly mayActForOthers: boolean;
  readonly active: boolean;
  /** What identified the person was erased. */
  readonly erased: boolean;
  /** Subjects of providers by which the person signs in. */
  readonly identities: bigint;
  /** How many tokens are in force. */
  readonly tokens: bigint;
}

export interface PersonChange {
  readonly login?: string;
  /** A kind of approver; by default member. */
  readonly approverType?: ApproverType;
  /** A subject of a provider by which the person signs in, beside those that are mapped already. */
  readonly identity?: ProviderIdentity;
}

/** Who a user of the organisation's provider is, by its own words. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

export interface ErasedPerson {
  readonly person: string;
  readonly identities: bigint;
  readonly signIns: bigint;
  readonly sessions: bigint;
  /** Tokens that were revoked and lost their names. */
  readonly tokens: bigint;
  readonly notifications: bigint;
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
  erased: row.erased,
  identities: row.identities,
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

  /** Erases what identifies a person. Their name stays with what they decided, and cannot be given again. */
  async erase(person: string, { dryRun }: PersonOptions = {}): Promise<ErasedPerson> {
    await this.#installation.requireInstalled();
    if (person.includes('\0')) throw identityErrors.person_invalid('a name cannot contain a null character');
    const work = (tx: Transaction) => erase(tx, person);
    return dryRun ? this.#db.rehearse(ACT, work) : this.#db.transaction(ACT, work);
  }

  async #write(
    person: string,
    change: PersonChange,
    add: boolean,
    { dryRun }: PersonOptions,
  ): Promise<PersonLine> {
    await this.#installation.requireInstalled();
    if (`${person}${change.login}${change.identity?.issuer}${change.identity?.subject}`.includes('\0'))
      throw identityErrors.person_invalid('a name cannot contain a null character');
    const work = (tx: Transaction) => write(tx, person, change, add);
    return dryRun ? this.#db.rehearse(ACT, work) : this.#db.transaction(ACT, work);
  }
}

async function write(
  tx: Transaction,
  person: string,
  change: PersonChange,
  add: boolean,
): Promise<PersonLine> {
  const { login = null, approverType = null, identity } = change;
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
  refuse(row, person, tx.trustSchema);
  if (identity !== undefined) {
    const mapped = await tx.one(mapIdentity, { person, ...identity });
    if (mapped.outcome === 'identity_invalid')
      throw identityErrors.person_invalid(
        'the issuer is the https address of the provider, and the subject has 1 to 255 characters',
      );
    if (mapped.outcome === 'identity_taken')
      throw identityErrors.person_invalid(
        `the subject \`${identity.subject}\` of ${identity.issuer} belongs to another person`,
      );
    refuse(mapped, person, tx.trustSchema);
  }
  const [line] = await tx.run(listPeople, { person });
  if (line === undefined) throw identityErrors.person_unknown(`there is no person \`${person}\``);
  return asLine(line);
}

async function erase(tx: Transaction, person: string): Promise<ErasedPerson> {
  const row = await tx.one(erasePerson, { person });
  refuse(row, person, tx.trustSchema);
  const { notifications } = await tx.one(forgetRecipient, { person });
  const { identities, sessions, tokens } = row;
  return { person, identities, signIns: row.sign_ins, sessions, tokens, notifications };
}

/** Throws unless the outcome of an act on a person is ok. */
function refuse(
  { outcome, login }: { readonly outcome: string; readonly login: string },
  person: string,
  trustSchema: string,
): void {
  if (outcome === 'person_unknown') throw identityErrors.person_unknown(`there is no person \`${person}\``);
  if (outcome === 'person_erased')
    throw identityErrors.person_invalid(
      `the person \`${person}\` was erased: the name stays with the records`,
    );
  if (outcome === 'not_administrator')
    throw identityErrors.administrator_required(`the login \`${login}\` may not change people`);
  const problem = actorProblem(outcome, login, null, trustSchema);
  if (problem !== undefined) throw problem;
}
