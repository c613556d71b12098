import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingPlatforms } from '@/scripts/complete-lock.mjs';

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

test('lists the packages of every platform; "node scripts/complete-lock.mjs" adds what npm left out', () => {
  expect(missingPlatforms(read('package-lock.json').packages)).toEqual({});
});

test('reports a platform that is missing from the lock', () => {
  const packages = {
    'node_modules/tool': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { '@tool/darwin-arm64': '1.0.0', '@tool/linux-x64': '1.0.0' },
    },
    'node_modules/@tool/linux-x64': { version: '1.0.0', optional: true },
  };
  expect(missingPlatforms(packages)).toEqual({
    'node_modules/@tool/darwin-arm64': { version: '1.0.0', cpu: ['arm64'], os: ['darwin'], dev: true, optional: true },
  });
});

test('allows or denies the install script of each package by its exact name', () => {
  const { packages } = read('package-lock.json');
  const named = Object.keys(read('package.json').allowScripts);
  const running = Object.keys(packages).filter((path) => packages[path].hasInstallScript);
  expect(running.map((path) => path.split('node_modules/').at(-1)).sort()).toEqual(named.sort());
});
