// Owns the malformed births: the last rows of birth_registry, the same at every size. A field that is left
// out has the value of an ordinary birth of that collection.

export interface MalformedBirth {
  readonly collection: string;
  readonly code: string;
  readonly why: string;
  /** In upper case, with the prefix `SP-`; null is a birth without the required species. */
  readonly species?: string | null;
  readonly bornAt?: string;
  readonly status?: string | null;
  readonly role?: string | null;
  readonly origin?: string | null;
}

/** 2,016 characters that do not compress, built without randomness. */
function longCode(): string {
  let state = 20_260_601;
  let code = '';
  while (code.length < 2_016) {
    state = (state * 48_271) % 2_147_483_647;
    code += state.toString(36);
  }
  return code.slice(0, 2_016);
}

export const malformedBirths: readonly MalformedBirth[] = [
  { collection: 'articles', code: 'A-\u000199151', why: 'a control character (SOH) in the code' },
  { collection: 'articles', code: 'A-99152\n', why: 'a trailing line feed in the code' },
  { collection: 'pages', code: 'PG-\u001b[31m000002', why: 'a terminal escape sequence in the code' },
  { collection: 'articles', code: '', why: 'an empty code' },
  { collection: 'articles', code: longCode(), why: 'a code of 2,016 characters that do not compress' },
  { collection: 'documents', code: 'D'.repeat(6_000), why: 'a code of 6,000 characters' },
  { collection: 'articles', code: 'A:99:153', why: 'colons in the code' },
  { collection: 'articles', code: 'A/2026/05/154', why: 'slashes in the code' },
  {
    collection: 'articles',
    code: 'archive/2025:A-1',
    why: 'joined by a colon it equals the key of the next row',
  },
  {
    collection: 'articles:archive/2025',
    code: 'A-1',
    why: 'a collection no registry knows, with colon and slash',
  },
  { collection: 'articles:archive/2025', code: 'A-2', why: 'the same collection again' },
  { collection: 'documents', code: 'SHARED-0001', why: 'the same code in two collections' },
  { collection: 'pages', code: 'SHARED-0001', why: 'the same code in two collections' },
  { collection: 'articles', code: 'A-99101', why: 'second birth of one key' },
  { collection: 'articles', code: 'A-99101', why: 'third birth of one key' },
  { collection: 'dot_tools', code: 'DOT-030', why: 'second birth of a tool' },
  {
    collection: 'customers',
    code: 'CU-000001',
    species: 'SP-PLACE',
    why: 'second birth, of another species',
  },
  { collection: 'articles', code: 'A-19700101', bornAt: '1970-01-01T00:00:00Z', why: 'born at the epoch' },
  {
    collection: 'media_files',
    code: 'MF-29991231',
    bornAt: '2999-12-31T23:59:59.999999Z',
    why: 'born in 2999',
  },
  { collection: 'invoices', code: 'INV-900001', species: null, why: 'no species' },
  { collection: 'invoices', code: 'INV-900002', species: null, why: 'no species' },
  {
    collection: 'articles',
    code: 'A-90000003',
    species: null,
    why: 'no species, among hundreds of thousands',
  },
  { collection: 'tickets', code: ' T-000003 ', why: 'white space around an existing code' },
  { collection: 'articles', code: '\u0410-99123', why: 'a Cyrillic letter that looks like the A of A-99123' },
  { collection: 'payments', code: 'PAY-900004', status: null, why: 'no status' },
  { collection: 'orders', code: 'ORD-900005', status: 'brn', why: 'an undeclared status' },
  { collection: 'orders', code: 'ORD-900006', role: null, why: 'no governance role' },
  { collection: 'tasks', code: 'TK-900007', origin: null, why: 'no origin' },
  { collection: 'comments', code: "CM-'); drop table x; --", why: 'quotes and a statement in the code' },
  { collection: 'comments', code: '<b>CM-900008</b>', why: 'markup in the code' },
];
