// Which columns suggest personal data: by words of their names and types, and by what can hold it.
import { describe, expect, it } from 'vitest';
import { PERSONAL_PATTERNS, personalCategory, personalPatterns } from '../../src/source/postgres/index.js';

const categoryOf = (name: string, typeName = 'text', typeCategory = 'S') =>
  personalCategory({ name, typeName, typeCategory }, PERSONAL_PATTERNS);

describe('a column', () => {
  it.each([
    ['email', 'email'],
    ['customerEmail', 'email'],
    ['E-Mail Address', 'email'],
    ['billing_emails', 'email'],
    ['homePhone', 'phone'],
    ['"last name"', 'name'],
    ['ip_address', 'network_address'],
    ['address', 'address'],
    ['IBAN', 'payment'],
  ])('%s suggests %s', (name, category) => {
    expect(categoryOf(name)).toBe(category);
  });

  it.each(['name', 'title', 'emailer', 'female', 'phonetics', 'mailing', 'sexton', 'streetcar', 'ssntp', ''])(
    '%j suggests nothing',
    (name) => {
      expect(categoryOf(name)).toBeUndefined();
    },
  );

  it('counts only where its type can hold it', () => {
    expect(categoryOf('email_verified', 'bool', 'B')).toBeUndefined();
    expect(categoryOf('email_sent_at', 'timestamptz', 'D')).toBeUndefined();
    expect(categoryOf('email_id', 'uuid', 'U')).toBeUndefined();
    expect(categoryOf('address_id', 'int8', 'N')).toBeUndefined();
    expect(categoryOf('birth_date', 'date', 'D')).toBe('birth');
    expect(categoryOf('contact', 'email_address', 'S')).toBe('email');
    expect(categoryOf('client', 'inet', 'I')).toBe('network_address');
  });

  it('follows other patterns where they are given', () => {
    const patterns = personalPatterns.parse([
      { category: 'staff', words: ['personalnummer'], held_in: ['number'] },
    ]);
    const column = { name: 'Personalnummer', typeName: 'int4', typeCategory: 'N' };
    expect(personalCategory(column, patterns)).toBe('staff');
    expect(personalCategory({ ...column, name: 'email' }, patterns)).toBeUndefined();
    expect(() =>
      personalPatterns.parse([{ category: 'x', words: ['Two Words'], held_in: ['text'] }]),
    ).toThrow();
  });
});
