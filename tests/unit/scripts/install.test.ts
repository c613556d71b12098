import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { assertNode, isInstalled, whyNoPackages } from '@/scripts/lib/install.mjs';

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
  ['everything this platform needs', { 'node_modules/a': { version: '1.0.0' } }, true],
  ['no or an interrupted installation', null, false],
  ['another version', { 'node_modules/a': { version: '0.9.0' } }, false],
  ['a missing package', {}, false],
  ['an extra package', { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } }, false],
])('installs dependencies for node_modules with %s', (_what, found, expected) => {
  expect(installed(found)).toBe(expected);
});

test('rejects an old Node in one line, and accepts 20.19 and later', () => {
  for (const version of ['20.19.0', '20.20.2', '22.0.0', '24.1.0']) expect(() => assertNode(version)).not.toThrow();
  for (const version of ['18.20.0', '20.18.3']) {
    expect(() => assertNode(version)).toThrow(`Upwatch needs Node.js 20.19 or newer, and this is ${version}.`);
  }
});

test.each([
  [
    'the registry does not answer',
    'npm error code ECONNREFUSED\nnpm error FetchError: request to http://127.0.0.1:9/zod failed, reason: connect ECONNREFUSED 127.0.0.1:9\nnpm error     at ClientRequest.<anonymous> (index.js:130:14)',
    "The packages cannot be fetched from http://127.0.0.1:9 (connect ECONNREFUSED 127.0.0.1:9): see to the network, or to npm's settings for it, and start again.",
  ],
  [
    'the name is unknown',
    'npm error code ENOTFOUND\nnpm error network request to https://me:hidden@registry.invalid/zod failed, reason: getaddrinfo ENOTFOUND registry.invalid\nnpm error network',
    "The packages cannot be fetched from https://registry.invalid (getaddrinfo ENOTFOUND registry.invalid): see to the network, or to npm's settings for it, and start again.",
  ],
  ['another error', 'npm error code EUSAGE\nnpm error `npm ci` can only install with a lock', null],
])('explains why npm fails: %s', (_what, output, expected) => {
  expect(whyNoPackages(output)).toBe(expected);
});
