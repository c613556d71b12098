import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MARKDOWN_VERSION, renderMarkdown } from '@/server/text/render-markdown';

const result = (text: string) => renderMarkdown(text);
const html = (text: string) => {
  const rendered = result(text);
  if ('problem' in rendered) throw new Error(rendered.problem);
  return rendered.html;
};

const LENGTH = 50_000;
const filled = (part: string) => part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH);
const table = (columns: number) =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'|\n'.repeat(LENGTH)}`.slice(0, LENGTH);

const SAMPLE = `# Why

- [ ] open
- [x] done
1. one

> quote

| a | b |
|---|--:|
| 1 | 2 |

\`\`\`sh
ls <x>
\`\`\`

**bold** *soft* ~~gone~~ \`code\` [docs](https://docs.example/ "Docs") https://a.example/x mailto:a@b.example [r]

[r]: https://r.example/
`;

describe('renderMarkdown', () => {
  it('renders headings, lists, tables, code and links', () => {
    const text = html(SAMPLE);
    for (const part of ['<h1>Why</h1>', 'class="task">☐ open', '☑ done', '<td>1</td>', 'ls &lt;x&gt;', '<s>gone</s>']) {
      expect(text).toContain(part);
    }
    expect(text).toContain(
      '<a href="https://docs.example/" title="Docs" rel="nofollow noopener noreferrer" target="_blank">docs</a>',
    );
    expect(text).toContain('href="https://a.example/x"');
  });

  it('changes its version whenever it renders a text differently', () => {
    const digest = createHash('sha256').update(html(SAMPLE)).digest('hex').slice(0, 16);
    expect([MARKDOWN_VERSION, digest]).toEqual([1, 'fd1eeed89fc3fde6']);
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java&Tab;script:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](//evil.example/)',
    '![x](https://tracker.example/pixel.png)',
    '<iframe src="https://evil.example/"></iframe>',
    '[x](vbscript:msgbox)',
    '<javascript:alert(1)>',
    '[x]: javascript:alert(1)\n\n[x]',
    '[x](https://a.example/"onclick="alert(1))',
    '```"onclick="alert(1)\nx\n```',
    '<svg/onload=alert(1)>',
  ])('writes only known elements and attributes: %s', (text) => {
    for (const [, name, attributes] of html(text).matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)) {
      expect(['p', 'a', 'pre', 'code']).toContain(name);
      expect(attributes).toMatch(
        /^( (href="(https?:|mailto:)[^"]*"|title="[^"]*"|rel="[^"]*"|target="_blank"|class="language-[^"]*"))*$/,
      );
    }
  });

  it.each([
    ...['*a_', '> ', '- ', '[^a]', '[a](', '[', ']', '[]', '![[]()', 'a_ ', '_a ', 'a]', '*a **a ', '**x[a](', '[ a_'],
    ...[
      'a**b c* ',
      '`a',
      '\\',
      '&',
      '<',
      '<!--',
      '<?',
      '<![CDATA[',
      '<a b="',
      '[a](<b',
      '[a]: u\n',
      '[a]: u "t\n',
      '~~a ',
    ],
    ...[
      'a\n===\n',
      '1) a\n',
      '* ',
      '> - ',
      'a|b\n-|-\n',
      'http://a/(',
      'mailto:',
      'http://a*',
      'www.',
      'a@b.c ',
      '|-\n',
    ],
  ])('ends within its limits for a long text of %j', (part) => {
    const rendered = result(filled(part));
    if ('html' in rendered) expect(rendered.html.length).toBeLessThan(12 * LENGTH);
    else expect(rendered.problem).toMatch(/^(Shorten|Use at most)/);
  });

  it.each([1, 20, 200, 1_000, 8_000])('refuses a table of %i columns with rows to the end of the text', (columns) => {
    expect(result(table(columns))).toEqual({ problem: expect.stringContaining('too many table cells') });
  });

  it.each([
    ['quotes', `${'> '.repeat(60)}a`],
    ['lists', `${'- '.repeat(40)}a`],
    ['emphasis', `${'*a **a '.repeat(60)}b${' a** a*'.repeat(60)}`],
  ])('refuses %s of too many levels instead of leaving out text', (_what, text) => {
    expect(result(text)).toEqual({ problem: expect.stringContaining('levels') });
  });

  it('refuses a long link target that references repeat thousands of times', () => {
    const text = `[r]: ${'u'.repeat(25_000)}\n\n`.replace(' u', ' https://u');
    expect(result(text + '[r]'.repeat(8_000))).toEqual({ problem: 'Shorten the links of the text.' });
  });

  it('accepts a long text of ordinary prose, lists and tables', () => {
    const text = filled(
      `## Part\n\nWe **saw** errors at [the shop](https://shop.example/) for some minutes.\n\n- a point that is a sentence\n- another one\n\n| time | event |\n|---|---|\n| 10:00 | the deployment began |\n\n`,
    );
    expect(html(text).length).toBeGreaterThan(LENGTH);
  });
});
