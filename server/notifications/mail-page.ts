import { escapeHtml } from './providers/escape';

/**
 * The HTML of a mail: its title and `content`, which is HTML. It names no colors and fits both schemes, so that mail programs with a dark one show light
 * text, and the width of phones.
 */
export function mailPage(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title></head>
<body style="margin:24px;font:14px/22px system-ui,sans-serif;max-width:640px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600">${escapeHtml(title)}</h1>
${content}
</body></html>`;
}
