// Manifests list the items of a release. They are parsed strictly: an error names the invalid item, and
// nothing in them is more lenient than the stage and the action that the caller requires.
import { expect, it } from 'vitest';
import { ACTIONS, parseManifest, STAGES } from '../../src/index.js';

it('reads manifests with a stage and an action for all items or for one, and names an invalid item', () => {
  expect(
    parseManifest('[{"collection": "a", "code": "b"}, {"group": "k", "stage": "route"}]', {
      action: 'read',
    }),
  ).toEqual([
    { collection: 'a', code: 'b', action: 'read' },
    { group: 'k', stage: 'route', action: 'read' },
  ]);
  expect(parseManifest('{"stage": "impl", "items": [{"group": "k"}]}')).toEqual([
    { group: 'k', stage: 'impl' },
  ]);
  const errorOf = (text: string) => {
    try {
      parseManifest(text);
    } catch (error) {
      return error;
    }
    throw new Error('the manifest was accepted');
  };
  expect(errorOf('[')).toMatchObject({ code: 'gate_manifest_invalid', exit: 3 });
  expect(errorOf('7')).toMatchObject({ message: expect.stringMatching(/list of items/) });
  expect(errorOf('[{"collection": "a", "code": "b"}, {"collection": "a"}]')).toMatchObject({
    message: expect.stringMatching(/^item 2: code: /),
  });
  expect(errorOf('[{"group": "a", "stage": "soon"}]')).toMatchObject({
    message: expect.stringMatching(/^item 1: stage: /),
  });
  expect(errorOf('["a"]')).toMatchObject({ message: expect.stringMatching(/^item 1: /) });
});

it('takes the stage and the action of the caller as floors: a manifest may only be stricter', () => {
  for (const [floor, stage] of STAGES.entries())
    for (const [own, written] of STAGES.entries()) {
      const expected = [{ group: 'k', stage: STAGES[Math.max(floor, own)] }];
      expect(parseManifest(`[{"group": "k", "stage": "${written}"}]`, { stage })).toEqual(expected);
      expect(parseManifest(`{"stage": "${written}", "items": [{"group": "k"}]}`, { stage })).toEqual(
        expected,
      );
    }
  for (const [floor, action] of ACTIONS.entries())
    for (const [own, written] of ACTIONS.entries())
      expect(parseManifest(`[{"group": "k", "action": "${written}"}]`, { action })).toEqual([
        { group: 'k', action: ACTIONS[Math.max(floor, own)] },
      ]);
});

it('refuses a key that is written twice in one object, in any spelling, and names it', () => {
  const code = 'gate_manifest_key_repeated';
  for (const [text, key] of [
    ['[{"group": "k", "stage": "prod", "stage": "design"}]', 'stage'],
    ['[{"group": "k", "action": "execute", "\\u0061ction": "read"}]', 'action'],
    ['{"items": [{"group": "a"}], "items": []}', 'items'],
    ['[{"group": "a\\"}{", "group": "b"}]', 'group'],
  ] as const)
    expect(() => parseManifest(text)).toThrow(
      expect.objectContaining({ code, exit: 3, message: expect.stringContaining(`"${key}"`) }),
    );
  // The same key in different objects, and text that looks like a key, are no repetition.
  expect(
    parseManifest(
      '{"stage": "prod", "items": [{"group": "\\"group\\": 1", "stage": "prod"}, {"group": "b"}]}',
    ),
  ).toHaveLength(2);
});
