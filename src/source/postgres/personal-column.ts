// Owns the columns that look as if they held personal data. The patterns are data: words of the name of a
// column, or of its type. They suggest, and a person classifies.
import { z } from 'zod';

const word = z.string().regex(/^[\p{Ll}\p{Lo}\p{N}]+(_[\p{Ll}\p{Lo}\p{N}]+)*$/u);
/** The categories of types, as people call them. */
const CATEGORIES = {
  text: 'S',
  number: 'N',
  date: 'D',
  network: 'I',
  enum: 'E',
  place: 'G',
  array: 'A',
  /** Documents, bytes, types of the estate; not uuid, which holds a key. */
  other: 'U',
} as const;
type Holder = keyof typeof CATEGORIES;

export const personalPatterns = z.array(
  z.strictObject({
    category: word,
    /** Words, joined by `_`, that stand next to each other in the name of the column or of its type. */
    words: z.array(word),
    /** Types of any name, such as `inet`. */
    types: z.array(word).default([]),
    /** What the words count in: a boolean `email_verified` and a time `email_sent_at` hold no address. */
    held_in: z.array(z.enum(Object.keys(CATEGORIES) as [Holder, ...Holder[]])).min(1),
  }),
);
export type PersonalPatterns = z.infer<typeof personalPatterns>;

const TEXTS: PersonalPatterns[number]['held_in'] = ['text', 'array', 'other'];
export const PERSONAL_PATTERNS: PersonalPatterns = [
  {
    category: 'email',
    words: ['email', 'e_mail', 'mail_address', 'email_address'],
    types: [],
    held_in: TEXTS,
  },
  {
    category: 'phone',
    words: ['phone', 'telephone', 'phone_number', 'mobile_number', 'cell_phone', 'fax', 'msisdn'],
    types: [],
    held_in: [...TEXTS, 'number'],
  },
  {
    category: 'name',
    words: [
      'first_name',
      'firstname',
      'last_name',
      'lastname',
      'middle_name',
      'full_name',
      'fullname',
      'given_name',
      'family_name',
      'surname',
      'maiden_name',
    ],
    types: [],
    held_in: TEXTS,
  },
  {
    category: 'birth',
    words: ['birth_date', 'birthdate', 'birthday', 'date_of_birth', 'dob', 'birth_year', 'place_of_birth'],
    types: [],
    held_in: [...TEXTS, 'date', 'number'],
  },
  {
    category: 'network_address',
    words: ['ip_address', 'ip_addr', 'client_ip', 'remote_ip', 'mac_address'],
    types: ['inet'],
    held_in: [...TEXTS, 'network'],
  },
  {
    category: 'address',
    words: [
      'address',
      'street',
      'street_address',
      'home_address',
      'postal_address',
      'billing_address',
      'shipping_address',
      'address_line',
      'postcode',
      'postal_code',
      'zip_code',
      'zipcode',
    ],
    types: [],
    held_in: TEXTS,
  },
  {
    category: 'location',
    words: ['latitude', 'longitude', 'geolocation', 'gps'],
    types: [],
    held_in: [...TEXTS, 'number', 'place'],
  },
  {
    category: 'identity_number',
    words: [
      'ssn',
      'social_security',
      'social_security_number',
      'national_id',
      'passport',
      'passport_number',
      'tax_id',
      'tax_number',
      'driver_license',
      'drivers_license',
      'identity_card',
    ],
    types: [],
    held_in: [...TEXTS, 'number'],
  },
  {
    category: 'payment',
    words: ['iban', 'bic', 'credit_card', 'card_number', 'account_number', 'bank_account'],
    types: [],
    held_in: [...TEXTS, 'number'],
  },
  {
    category: 'special',
    words: [
      'gender',
      'sex',
      'religion',
      'ethnicity',
      'nationality',
      'diagnosis',
      'blood_type',
      'sexual_orientation',
      'political_opinion',
    ],
    types: [],
    held_in: [...TEXTS, 'enum'],
  },
  { category: 'credential', words: ['password', 'passwd', 'password_hash'], types: [], held_in: TEXTS },
];

/** `homePhone` and `Home Phone` as `_home_phone_`. */
const wordsOf = (name: string): string =>
  `_${name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')}_`;

export interface ColumnShape {
  readonly name: string;
  readonly typeName: string;
  /** The category of the type, as `pg_type.typcategory` has it. */
  readonly typeCategory: string;
}

/** The category of personal data that a column suggests by the first pattern that fits; undefined: none. */
export function personalCategory(column: ColumnShape, patterns: PersonalPatterns): string | undefined {
  const names = [wordsOf(column.name), wordsOf(column.typeName)];
  const says = (each: string) =>
    names.some((name) => name.includes(`_${each}_`) || name.includes(`_${each}s_`));
  const holds = (holder: Holder) => CATEGORIES[holder] === column.typeCategory && column.typeName !== 'uuid';
  return patterns.find(
    ({ words, types, held_in }) =>
      types.includes(column.typeName) || (held_in.some(holds) && words.some(says)),
  )?.category;
}
