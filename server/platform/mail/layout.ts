import { Html, html } from './html';

// Outlook for Windows renders with Word, so the layout uses tables instead of flex, and every style is inline. The classes only switch colors in a
// dark scheme, in programs that read style sheets.

export type MailTone = 'down' | 'warning' | 'up' | 'neutral';

interface Colors {
  text: string;
  ground: string;
}

const SANS = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const MONO = 'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';

/** Each text has a contrast of at least 4.5 to its ground, in both schemes. */
const light = { page: '#eef2f4', card: '#ffffff', text: '#14232b', muted: '#4f626c', line: '#dbe3e7' };
const dark = { page: '#0d1518', card: '#152024', text: '#e8eff2', muted: '#a5b6be', line: '#2a3a41' };
const button = { light: { text: '#ffffff', ground: '#0b5a72' }, dark: { text: '#06222b', ground: '#5fb6cf' } };
const bars: Record<MailTone, { light: Colors; dark: Colors }> = {
  down: { light: { text: '#b0141e', ground: '#fdecec' }, dark: { text: '#ff8d8d', ground: '#3a1719' } },
  warning: { light: { text: '#8a4b00', ground: '#fdf1e0' }, dark: { text: '#f0b45f', ground: '#35260f' } },
  up: { light: { text: '#1f7a55', ground: '#e8f5ef' }, dark: { text: '#6fd1a5', ground: '#12301f' } },
  neutral: { light: { text: '#4f626c', ground: '#f5f8f9' }, dark: { text: '#a5b6be', ground: '#1a272c' } },
};

const darkBar = ([tone, { dark: colors }]: [string, { dark: Colors }]) =>
  `.${tone}{color:${colors.text}!important;background:${colors.ground}!important;border-color:${colors.text}!important}`;

const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:${dark.page}!important}.card{background:${dark.card}!important;border-color:${dark.line}!important}
.text{color:${dark.text}!important}.muted{color:${dark.muted}!important}.line{border-color:${dark.line}!important}
.button{background:${button.dark.ground}!important}.button a{color:${button.dark.text}!important}.link{color:${button.dark.ground}!important}
${Object.entries(bars).map(darkBar).join('')}}`;

export interface Link {
  label: string;
  url: string;
}

const TABLE = html`role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"`;

export const stateBar = (tone: MailTone, state: string) => html`
<tr><td class="${tone}" style="padding:10px 24px;border-left:6px solid ${bars[tone].light.text};border-radius:7px 7px 0 0;background:${bars[tone].light.ground};color:${bars[tone].light.text};${SANS};font-size:14px;line-height:20px;font-weight:600">${state}</td></tr>`;

export const heading = (text: string) => html`
<h1 class="text" style="margin:0 0 4px;color:${light.text};${SANS};font-size:20px;line-height:26px;font-weight:600;overflow-wrap:anywhere">${text}</h1>`;

export const reasonLine = (text: string) => html`
<p class="text" style="margin:0;color:${light.text};${MONO};font-size:14px;line-height:21px;overflow-wrap:anywhere">${text}</p>`;

export const paragraph = (text: string) => html`
<p class="text" style="margin:16px 0 0;color:${light.text};${SANS};font-size:15px;line-height:22px;overflow-wrap:anywhere">${text}</p>`;

const cell = `padding:7px 12px 7px 0;border-top:1px solid ${light.line};text-align:left;vertical-align:top;${SANS};font-size:14px;line-height:20px;overflow-wrap:anywhere`;

const factRow = ({ label, value }: { label: string; value: string }) => html`
<tr><td class="line muted" width="34%" style="${cell};color:${light.muted}">${label}</td><td class="line text" style="${cell};color:${light.text}">${value}</td></tr>`;

export const factTable = (facts: { label: string; value: string }[]) => html`
<table ${TABLE} style="margin:16px 0 0;border-collapse:collapse">${facts.map(factRow)}</table>`;

export interface Table {
  caption: string;
  /** The headings of the columns after the first one, which has none. */
  columns: string[];
  rows: { label: string; values: string[] }[];
}

export const dataTable = ({ caption, columns, rows }: Table) => html`
<h2 class="text" style="margin:24px 0 8px;color:${light.text};${SANS};font-size:16px;line-height:24px;font-weight:600">${caption}</h2>
<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;table-layout:fixed"><thead><tr>${[
  '',
  ...columns,
].map(
  (column) => html`<th class="line muted" scope="col" style="${cell};color:${light.muted}">${column}</th>`,
)}</tr></thead><tbody>${rows.map(
  ({ label, values }) => html`
<tr><th class="line text" scope="row" style="${cell};color:${light.text};font-weight:400">${label}</th>${values.map(
    (value) => html`<td class="line text" style="${cell};color:${light.text}">${value}</td>`,
  )}</tr>`,
)}</tbody></table>`;

const LABEL = `${SANS};font-size:15px;line-height:20px;font-weight:600;text-decoration:none`;

/**
 * Renders the main action as a button, and another link beside it. The padding belongs to the link, so that all of the button can be clicked; Outlook
 * takes it from the borders of the cell.
 */
export const buttonRow = (link: Link, more: Link | undefined) => html`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0 0"><tr><td class="button" bgcolor="${button.light.ground}" style="border-radius:6px;background:${button.light.ground};mso-padding-alt:11px 20px"><a href="${link.url}" style="display:inline-block;padding:11px 20px;color:${button.light.text};${LABEL}">${link.label}</a></td>${
  more
    ? html`<td style="padding:0 0 0 16px"><a class="link" href="${more.url}" style="color:${button.light.ground};${SANS};font-size:14px;line-height:20px">${more.label}</a></td>`
    : ''
}</tr></table>`;

export const footerLine = (line: string | Link) => html`
<p class="muted" style="margin:0 0 4px;color:${light.muted};${SANS};font-size:12px;line-height:18px;overflow-wrap:anywhere">${
  typeof line === 'string'
    ? line
    : html`<a class="muted" href="${line.url}" style="color:${light.muted}">${line.label}</a>`
}</p>`;

interface Page {
  title: string;
  /** What mail programs show after the subject. */
  preheader: string;
  brand: string;
  bar: Html | '';
  content: Html[];
  footer: Html[];
}

const sheet = new Html(`<style>${STYLE}</style>`);

/** Renders the whole document: a card of at most 600 px, which fits 320 px. */
export const page = ({ title, preheader, brand, bar, content, footer }: Page) => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${title}</title>
${sheet}</head>
<body class="page" style="margin:0;padding:0;background:${light.page}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader}</div>
<table ${TABLE} class="page" bgcolor="${light.page}" style="background:${light.page}"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table ${TABLE} style="max-width:600px">
<tr><td class="muted" style="padding:0 24px 10px;color:${light.muted};${SANS};font-size:13px;line-height:20px;font-weight:600;overflow-wrap:anywhere">${brand}</td></tr>
<tr><td class="card" bgcolor="${light.card}" style="border:1px solid ${light.line};border-radius:8px;background:${light.card}">
<table ${TABLE} style="table-layout:fixed">${bar}
<tr><td style="padding:20px 24px 24px">${content}</td></tr></table></td></tr>
<tr><td style="padding:14px 24px 0">${footer}</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table></body></html>
`;
