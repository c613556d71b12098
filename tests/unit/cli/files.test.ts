import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Environment, FileProblems, readFiles } from '@/cli/files';

const folder = mkdtempSync(join(tmpdir(), 'upwatch-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function write(...texts: string[]): string {
  files += 1;
  const path = join(folder, String(files));
  mkdirSync(join(path, 'below'), { recursive: true });
  for (const [index, text] of texts.entries())
    writeFileSync(join(path, index % 2 ? 'below' : '', `${index}.yaml`), text);
  return path;
}

const read = (texts: string[], env: Environment = {}) => readFiles([write(...texts)], env);

/** What is wrong with files, each with its line. */
function problemsOf(texts: string[], env: Environment = {}): string[] {
  try {
    read(texts, env);
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    return error.problems.map(({ where, message }) => `${where.split(':').at(-1)} ${message}`);
  }
  return [];
}

const ping = 'type: ping, name: A, config: { host: a.test }';

describe('readFiles', () => {
  it('merges folders, files and documents into one configuration', () => {
    const { objects, project } = read([
      `version: 1\nproject: shop\nmonitors:\n  a: { ${ping} }\n---\nversion: 1\nproject: shop\nmonitors:\n  b: { ${ping} }\n`,
      `version: 1\nproject: shop\nmonitors:\n  c: { ${ping} }\n`,
    ]);
    expect([project, objects.map(({ key }) => key)]).toEqual(['shop', ['a', 'b', 'c']]);
    expect(objects[1]?.at(['config', 'host'])).toMatch(/0\.yaml:9$/);
    expect(objects[0]?.spec).toMatchObject({ isActive: true, tags: [], channels: null, config: { packetCount: 3 } });
  });

  it('accepts anchors and merge keys', () => {
    const { objects } = read([
      `version: 1
monitors:
  a: &a { ${ping} }
  b: { <<: *a, name: B }
`,
    ]);
    expect(objects.map(({ spec }) => 'name' in spec && spec.name)).toEqual(['A', 'B']);
  });

  it.each([
    ['an unknown version', ['version: 2'], ['1 version: This version of Upwatch reads files with "version: 1".']],
    [
      'an unknown section',
      ['version: 1\nmonitor: {}'],
      [/^2 Unknown section "monitor"\. Sections are channels, monitors/],
    ],
    ['an unknown field', [`version: 1\nmonitors:\n  a: { ${ping}, tag: [b] }`], [/^3 monitors\.a: .*tag/]],
    ['a bad key', [`version: 1\nmonitors:\n  A_b: { ${ping} }`], [/^3 monitors\.A_b: Use lowercase letters/]],
    ['a list of objects', [`version: 1\nmonitors:\n  - { ${ping} }`], ['2 monitors: List objects by their keys.']],
    [
      'a key that stands twice',
      [`version: 1\nmonitors:\n  a: { ${ping} }\n  a: { ${ping} }`],
      [/^4 Map keys must be unique/],
    ],
    [
      'an object in two files',
      [`version: 1\nmonitors:\n  a: { ${ping} }`, `version: 1\nmonitors:\n  a: { ${ping} }`],
      [/^3 monitors\.a: It is also described in .*0\.yaml:3\./],
    ],
    [
      'two projects',
      ['version: 1\nproject: a', 'version: 1\nproject: b'],
      [/^2 All files describe one project: this is "b", but "a" in/],
    ],
    ['broken YAML', ['version: 1\nmonitors: {\n'], [/^\d+ /]],
    [
      'a wrong value',
      [
        'version: 1\nmonitors:\n  a:\n    type: ping\n    name: A\n    config:\n      host: a.test\n      packetCount: 0',
      ],
      [/^8 monitors\.a\.config\.packetCount: /],
    ],
    [
      'an unset variable',
      [`version: 1\nmonitors:\n  a: { type: tcp, name: A, config: { host: a.test, port: 1, send: "x \${UNSET}" } }`],
      ['3 monitors.a.config.send: UNSET is not set in the environment.'],
    ],
    [
      'a header in plain text',
      [
        'version: 1\nmonitors:\n  a:\n    type: http\n    name: A\n    config:\n      url: http://a.test/\n      headers:\n        X-Api-Key: abc',
      ],
      [/^9 monitors\.a\.config\.headers\.X-Api-Key: This is a secret\. Write \$\{NAME\}/],
    ],
    [
      'a config of another form',
      ['version: 1\nmonitors:\n  a: { type: http, name: A, config: { url: http://a.test/, headers: 7, auth: x } }'],
      [/^3 monitors\.a\.config\.headers: /, /^3 monitors\.a\.config\.auth: /],
    ],
  ])('reports %s with its line', (_what, texts, expected) => {
    expect(problemsOf(texts)).toEqual(
      expected.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
    );
  });

  it('puts variables into secrets alone, and keeps escaped ones', () => {
    const { objects } = read(
      [
        `version: 1
monitors:
  a:
    type: http
    name: "\${TOKEN}"
    config:
      url: http://a.test/
      body: "$\${TOKEN} \${TOKEN}"
      headers: { Authorization: "Bearer \${TOKEN}" }
`,
      ],
      { TOKEN: 'secret-value' },
    );
    const [monitor] = objects;
    expect(monitor?.spec).toMatchObject({
      name: `\${TOKEN}`,
      config: { body: `\${TOKEN} secret-value`, headers: { Authorization: 'Bearer secret-value' } },
    });
    expect([...(monitor?.variables.keys() ?? [])].sort()).toEqual(['config.body', 'config.headers.Authorization']);
  });

  it('refuses files that are too large, or expand to too much', () => {
    const laughs = Array.from(
      { length: 12 },
      (_, n) => `  l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(', ')}]`,
    );
    const started = performance.now();
    const bomb = problemsOf([`version: 1\nmonitors:\n  l0: &l0 [x]\n${laughs.join('\n')}`]);
    expect([bomb, performance.now() - started < 5_000]).toEqual([
      [expect.stringContaining('Excessive alias count')],
      true,
    ]);
    expect(problemsOf([`# ${'x'.repeat(10 * 1024 * 1024)}`])).toEqual([expect.stringContaining('more than 10 MiB')]);
    const documents = Array(600).fill('version: 1').join('\n---\n');
    expect(problemsOf([documents])).toEqual([expect.stringContaining('more than 500 documents')]);
    expect(problemsOf([])).toEqual([expect.stringContaining('There are no .yaml files here.')]);
    expect(() => readFiles([join(folder, 'missing')], {})).toThrow('There is no such file or folder.');
  });
});
