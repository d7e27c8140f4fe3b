// Links in comments: which lines count, what is reported, and that a new link leaves the text as it is.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommentLinks, withCommentLink } from '../../src/source/postgres/index.js';

describe('the links in a comment', () => {
  it('are the lines above the text', () => {
    expect(
      readCommentLinks(
        '@owner team-checkout\n  @classification personal\r\n@retention P3Y\n@approval https://example.org/review/7\n\nOrders.',
      ),
    ).toEqual({
      links: {
        owner: 'team-checkout',
        classification: 'personal',
        retention: 'P3Y',
        approval: 'https://example.org/review/7',
      },
      problems: [],
    });
  });

  it.each([
    ['no comment', null],
    ['a text', 'Ask @owner of the team, or mail owner@example.org'],
    ['tags of other tools', '@omit create\n@name item\n@foreignKey (a) references b'],
    ['an empty comment', ''],
  ])('are none in %s', (_, comment) => {
    expect(readCommentLinks(comment)).toEqual({ links: {}, problems: [] });
  });

  it('stand beside tags of other tools', () => {
    expect(readCommentLinks('@omit\n@owner team-a\nText').links).toEqual({ owner: 'team-a' });
  });

  it.each([
    ['@owner', 'owner', '@owner has no value'],
    ['@owner team a', 'owner', 'the value of @owner is not one name, such as team-checkout'],
    ['@owner: team-a', 'owner', 'write a space after @owner'],
    ['@owner\u00a0', 'owner', '@owner has no value'],
    ['@Owner team-a', 'owner', 'write @owner in lower case'],
    ['@retention 3 years', 'retention', 'the value of @retention is not an ISO 8601 duration, such as P3Y'],
    ['@retention P', 'retention', 'the value of @retention is not an ISO 8601 duration, such as P3Y'],
    [
      '@classification very personal',
      'classification',
      'the value of @classification is not one word, such as personal',
    ],
    [
      '@approval yes',
      'approval',
      'the value of @approval is not a URL, such as https://example.org/review/7',
    ],
    ['\u200b@omit\n@owner \u202eteam', 'owner', '@owner stands below the free text'],
  ])('%j is reported and gives no link', (comment, link, problem) => {
    const found = readCommentLinks(comment);
    expect(found.links).toEqual({});
    expect(found.problems).toMatchObject([{ link, problem }]);
  });

  it('that disagree give no link, however often one of them is repeated', () => {
    expect(readCommentLinks('@owner a\n@owner b\n@owner a\n@retention P1Y\n@retention P1Y')).toEqual({
      links: { retention: 'P1Y' },
      problems: [{ line: 2, link: 'owner', problem: '@owner says something else than a line above' }],
    });
  });
});

describe('a link that is added to a comment', () => {
  it.each([
    [null, '@owner team-b'],
    ['Orders.', '@owner team-b\nOrders.'],
    ['@omit\n@owner team-a\nOrders.', '@omit\n@owner team-b\nOrders.'],
    ['@Owner x\n@classification personal\n@owner', '@owner team-b\n@classification personal'],
    ['Text\n@owner below', '@owner team-b\nText\n@owner below'],
  ])('%j becomes %j', (comment, expected) => {
    expect(withCommentLink(comment, 'owner', 'team-b')).toBe(expected);
  });

  it.each([
    ['ownr', 'team-a', 'value_unknown'],
    ['owner', 'team a', 'value_invalid'],
    ['owner', 'a\n@approval https://example.org', 'value_invalid'],
    ['owner', '', 'value_invalid'],
  ])('@%s %j is refused', (link, value, code) => {
    expect(() => withCommentLink(null, link, value)).toThrow(expect.objectContaining({ code }));
  });

  it('is read back, and every other line stays', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '@owner a',
        '@owner',
        '@Owner b',
        '@classification personal',
        '@omit',
        '',
        ' text',
        '@retention P1D',
      ),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const comment = lines.join('\n');
        const changed = withCommentLink(comment, 'owner', 'team-z');
        expect(readCommentLinks(changed).links.owner).toBe('team-z');
        const others = (text: string) => text.split('\n').filter((each) => !/^\s*@owner\b/i.test(each));
        expect(others(changed).join('\n')).toBe(others(comment).join('\n'));
      }),
    );
  });
});
