import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assertNode, isInstalled } from '@/scripts/lib/install.mjs';

const WANTED = {
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a-win32': { version: '1.0.0', optional: true },
};

function installed(found: object | null): boolean {
  const root = mkdtempSync(join(tmpdir(), 'upwatch-install-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: WANTED }));
  if (found) writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: found }));
  return isInstalled(root);
}

test.each([
  ['everything that this platform needs', { 'node_modules/a': { version: '1.0.0' } }, true],
  ['nothing, or an installation that was cut short', null, false],
  ['another version', { 'node_modules/a': { version: '0.9.0' } }, false],
  ['a package too few', {}, false],
  ['a package too many', { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } }, false],
])('node_modules with %s', (_what, found, expected) => {
  expect(installed(found)).toBe(expected);
});

test('an old Node is refused in one line; 20.19 and later are not', () => {
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.1.0']) expect(() => assertNode(version)).not.toThrow();
  for (const version of ['18.20.0', '20.18.3']) {
    expect(() => assertNode(version)).toThrow(`Upwatch needs Node.js 20.19 or newer, and this is ${version}.`);
  }
});
