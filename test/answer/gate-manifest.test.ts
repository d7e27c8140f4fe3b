// Manifests list the items of a release. They are parsed strictly, and an error names the invalid item.
import { expect, it } from 'vitest';
import { parseManifest } from '../../src/index.js';

it('reads manifests with a stage and an action for all items or for one, and names an invalid item', () => {
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
