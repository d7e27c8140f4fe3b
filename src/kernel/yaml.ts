// Owns reading a YAML file in a form that a schema checks. INVARIANT: every problem names the file, the line
// and the column.
import { type Document, isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { defineErrors, type GcosError } from './errors.js';

export const yamlErrors = defineErrors({
  yaml_invalid: {
    exit: 3,
    when: 'a YAML file cannot be read, or has another form than its schema demands',
    help: 'the message names the line and the column; docs/gcos-yaml.md describes gcos.yaml',
  },
});

export interface YamlFile {
  /** The name of the file, for messages. */
  readonly name: string;
  readonly text: string;
}

type Path = readonly PropertyKey[];

/** The position of the value at `path`, or of the nearest value above it that exists. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

const pathText = (path: Path): string => path.map(String).join('.');

/** The content of the file in the form of `form`; throws `yaml_invalid` with the first problem. */
export function parseYaml<T>(
  { name, text }: YamlFile,
  form: z.ZodType<T>,
): { readonly value: T; readonly problemAt: (path: Path, problem: string) => GcosError } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const problemAtOffset = (offset: number, problem: string): GcosError => {
    const { line, col } = lines.linePos(offset);
    return yamlErrors.yaml_invalid(`${name}:${line}:${col}: ${problem}`, {
      facts: { file: name, line, column: col },
    });
  };
  const problemAt = (path: Path, problem: string): GcosError =>
    problemAtOffset(offsetOf(document, path), path.length === 0 ? problem : `${pathText(path)}: ${problem}`);
  const [broken] = [...document.errors, ...document.warnings];
  if (broken !== undefined) throw problemAtOffset(broken.pos[0], broken.message);
  let content: unknown;
  try {
    // A file of a few lines must not become gigabytes.
    content = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw problemAtOffset(0, cause instanceof Error ? cause.message : 'it cannot be read');
  }
  const parsed = form.safeParse(content ?? {});
  if (parsed.success) return { value: parsed.data, problemAt };
  const [issue] = parsed.error.issues;
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (unknownKey !== undefined) {
    const path = [...(issue?.path ?? []), unknownKey];
    throw problemAt(path, 'there is no such key');
  }
  throw problemAt(issue?.path ?? [], issue?.message ?? 'wrong form');
}

/** The text with another value of one key: comments and everything else stay. One line per item of a list. */
export function setInYaml(text: string, key: string, value: Readonly<Record<string, unknown>>): string {
  const document = parseDocument(text);
  const node = document.createNode(value);
  for (const { value: list } of node.items)
    if (isSeq(list)) for (const item of list.items) if (isNode(item) && 'flow' in item) item.flow = true;
  document.set(key, node);
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
