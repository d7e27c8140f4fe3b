// Manifests: everything a release touches, read strictly; whoever wrote a wrong one is told which item it is.
import { expect, it } from 'vitest';
import { parseManifest } from '../../src/index.js';

it('reads manifests with a stage and an action for all or for one, and names the item that is wrong', () => {
  expect(
    parseManifest('[{"collection": "a", "code": "b"}, {"group": "k", "stage": "route"}]', {
      action: 'read',
    }),
  ).toEqual([
    { collection: 'a', code: 'b', action: 'read' },
    { group: 'k', stage: 'route', action: 'read' },
  ]);
  expect(parseManifest('{"stage": "impl", "items": [{"group": "k"}]}', { stage: 'prod' })).toEqual([
    { group: 'k', stage: 'impl' },
  ]);
  const wrong = (text: string) => {
    try {
      parseManifest(text);
    } catch (error) {
      return error;
    }
    throw new Error('nothing was wrong');
  };
  expect(wrong('[')).toMatchObject({ code: 'gate_manifest_invalid', exit: 3 });
  expect(wrong('7')).toMatchObject({ message: expect.stringMatching(/list of items/) });
  expect(wrong('[{"collection": "a", "code": "b"}, {"collection": "a"}]')).toMatchObject({
    message: expect.stringMatching(/^item 2: code: /),
  });
  expect(wrong('[{"group": "a", "stage": "soon"}]')).toMatchObject({
    message: expect.stringMatching(/^item 1: stage: /),
  });
  expect(wrong('["a"]')).toMatchObject({ message: expect.stringMatching(/^item 1: /) });
});
