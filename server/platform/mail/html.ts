import { escapeHtml } from '../escape-html';

/** Markup that `html` inserts without escaping it. */
export class Html {
  constructor(readonly text: string) {}
}

const toHtml = (value: string | Html | readonly Html[]): string => {
  if (typeof value === 'string') return escapeHtml(value);
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
};

/** HTML from a template string. Escapes every inserted string, so that text of users cannot become markup. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  return new Html(parts.reduce((text, part, index) => text + toHtml(values[index - 1] ?? '') + part));
}
