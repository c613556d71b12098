import {
  buttonRow,
  dataTable,
  factTable,
  footerLine,
  heading,
  type Link,
  type MailTone,
  page,
  paragraph,
  reasonLine,
  stateBar,
  type Table,
} from './layout';

export type { Link, MailTone, Table } from './layout';

/** The content of a mail. All texts are plain; those of users may contain anything. */
export interface MailContent {
  subject: string;
  /** The team that the mail is about; null for mail about an account or the instance. */
  teamName: string | null;
  /** The state in one or two words, as a bar above the title. */
  state?: { tone: MailTone; text: string };
  title: string;
  /** The cause: "Expected status 200-299, got 503". */
  reason?: string | null;
  paragraphs?: string[];
  facts?: { label: string; value: string }[];
  tables?: Table[];
  /** Below the facts and tables. */
  notes?: string[];
  /** The main action. */
  button?: Link;
  more?: Link;
  /** Why the recipient gets the mail, and how to stop it. */
  footer: (string | Link)[];
}

/** The maximum length of the text that mail programs show after the subject. */
const PREHEADER = 140;

const lineOf = (values: string[], columns: string[]) =>
  values.map((value, index) => (index === 0 ? value : ` (${columns[index]?.toLowerCase()}: ${value})`)).join('');

const textOfTable = ({ caption, columns, rows }: Table) => [
  caption,
  ...rows.map(({ label, values }) => `${label}: ${lineOf(values, columns)}`),
];

const textOfLink = ({ label, url }: Link) => [`${label}:`, url];

/** Joins groups of lines with an empty line between them. */
const joinGroups = (groups: string[][]) =>
  `${groups
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;

function toText(content: MailContent): string {
  const { state, title, reason, paragraphs = [], facts = [], tables = [], notes = [], button, more, footer } = content;
  return joinGroups([
    [state ? `${state.text}: ${title}` : title],
    reason ? [reason] : [],
    paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`),
    ...tables.map(textOfTable),
    notes,
    button ? textOfLink(button) : [],
    more ? textOfLink(more) : [],
    footer.flatMap((line) => (typeof line === 'string' ? [line] : [`${line.label}: ${line.url}`])),
  ]);
}

function toHtml(content: MailContent): string {
  const { teamName, state, title, reason, paragraphs = [], facts = [], tables = [], notes = [] } = content;
  const { button, more, footer } = content;
  const [fact] = facts;
  const said = [reason, paragraphs[0], fact && `${fact.label}: ${fact.value}`].filter(Boolean).join(' · ');
  return page({
    title,
    preheader: said.length > PREHEADER ? `${said.slice(0, PREHEADER).toWellFormed()}…` : said,
    brand: teamName === null ? 'Upwatch' : `Upwatch · ${teamName}`,
    bar: state ? stateBar(state.tone, state.text) : '',
    content: [
      heading(title),
      ...(reason ? [reasonLine(reason)] : []),
      ...paragraphs.map(paragraph),
      ...(facts.length > 0 ? [factTable(facts)] : []),
      ...tables.map(dataTable),
      ...notes.map(paragraph),
      ...(button ? [buttonRow(button, more)] : []),
    ],
    footer: footer.map(footerLine),
  }).text;
}

/** Composes the plain text of a mail. */
export function composeText(content: MailContent): { subject: string; text: string } {
  return { subject: content.subject, text: toText(content) };
}

/** Composes a mail as plain text and as HTML with the same content. Does not shorten texts: the caller does. */
export function composeMail(content: MailContent): { subject: string; text: string; html: string } {
  return { ...composeText(content), html: toHtml(content) };
}
