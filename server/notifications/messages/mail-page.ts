import { escapeHtml } from '../providers/escape';

/**
 * Returns the HTML of a mail with a title and `content` (HTML). Sets no colors and fits the width of phones, so that mail programs with a dark
 * scheme show it correctly.
 */
export function mailPage(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title></head>
<body style="margin:24px;font:14px/22px system-ui,sans-serif;max-width:640px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600">${escapeHtml(title)}</h1>
${content}
</body></html>`;
}
