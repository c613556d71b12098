import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from '@/app/_components/markdown';

const html = (text: string) => renderToStaticMarkup(<Markdown>{text}</Markdown>);

describe('Markdown', () => {
  it('renders headings, lists, tables and links', () => {
    const text = html('# Why\n\n- one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[docs](https://docs.example/)');
    for (const part of ['<h1>Why</h1>', '<li>one</li>', '<td>1</td>', 'href="https://docs.example/"', 'noopener']) {
      expect(text).toContain(part);
    }
  });

  it('renders a link with another scheme as its text', () => {
    expect(html('See [the log](javascript:alert(1)).')).toContain('<p>See the log.</p>');
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '![x](https://tracker.example/pixel.png)',
    '<iframe src="https://evil.example/"></iframe>',
    '[x](vbscript:msgbox)',
    '<svg/onload=alert(1)>',
  ])('leaves out what could run or load: %s', (text) => {
    expect(html(text)).not.toMatch(
      /<(script|img|iframe|svg)|(href|src)="(javascript|vbscript|data)|<[^>]*on(error|load)=/i,
    );
  });
});
