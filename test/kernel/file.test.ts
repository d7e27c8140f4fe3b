// Files that GCOS creates: new ones replace nothing, and no write goes through a symbolic link.
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFile, ensureFile, replaceFile } from '../../src/kernel/index.js';

let folder: string;
let file: string;
let target: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gcos-file-'));
  file = join(folder, 'file');
  target = join(folder, 'target');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a file that must be new', () => {
  it('is created with its mode', () => {
    createFile(file, 'text', 0o600);
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('does not replace a file', () => {
    writeFileSync(file, 'before');
    expect(() => createFile(file, 'after')).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(readFileSync(file, 'utf8')).toBe('before');
  });

  it('is not created through a link, nor through one that points to nothing', () => {
    symlinkSync(target, file);
    expect(() => createFile(file, 'after')).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(existsSync(target)).toBe(false);
    writeFileSync(target, 'before');
    expect(() => createFile(file, 'after')).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(readFileSync(target, 'utf8')).toBe('before');
  });
});

describe('a file that may exist', () => {
  it('is replaced with its mode, and nothing else is left', () => {
    writeFileSync(file, 'before', { mode: 0o644 });
    replaceFile(file, 'after', 0o600);
    expect(readFileSync(file, 'utf8')).toBe('after');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('takes the place of a link; what the link points to stays', () => {
    writeFileSync(target, 'before');
    symlinkSync(target, file);
    replaceFile(file, 'after');
    expect(readFileSync(target, 'utf8')).toBe('before');
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
  });

  it('keeps its text where a program appends to it, and is not created through a link', () => {
    writeFileSync(file, 'before');
    ensureFile(file, 0o600);
    expect(readFileSync(file, 'utf8')).toBe('before');
    const link = join(folder, 'link');
    symlinkSync(target, link);
    expect(() => ensureFile(link, 0o600)).toThrow(expect.objectContaining({ code: 'ELOOP' }));
    expect(existsSync(target)).toBe(false);
  });
});
