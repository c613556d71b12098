import MarkdownIt, { type StateBlock, type StateInline } from 'markdown-it';
import { defineTask } from '@/server/platform/bounded/task';

/** The version of the renderer. Raise it when a text gives different HTML, so that stored HTML is rendered again. */
export const MARKDOWN_VERSION = 1;

/**
 * The maximum number of blocks, cells, links, emphasis and texts between them. A text of 50,000 characters with tables of short cells has about half
 * as many.
 */
const MOST_ELEMENTS = 30_000;
const MOST_LEVELS = 50;
/** The maximum length of all link targets together. A reference repeats its target at every use. */
const MOST_LINK_CHARACTERS = 200_000;

/** The HTML of a text, or a message that says how to change a text that exceeds the limits. */
export type RenderedMarkdown = { html: string } | { problem: string };

class Refusal extends Error {}

const tooDeep = `Use at most ${MOST_LEVELS} levels of quotes, lists and emphasis.`;

function countElement({ env, level }: StateBlock | StateInline): void {
  env.elements = Number(env.elements ?? 0) + 1;
  if (Number(env.elements) > MOST_ELEMENTS) {
    throw new Refusal('Shorten the text: it has too many table cells, list items, links or other elements.');
  }
  if (level > MOST_LEVELS) throw new Refusal(tooDeep);
}

/** HTML in the text is escaped, and images become links. Addresses with a scheme become links. */
const markdown = new MarkdownIt('default', { html: false, linkify: true, maxNesting: 2 * MOST_LEVELS });
markdown.disable('image');
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.validateLink = (url) => /^(https?:\/\/|mailto:|\/(?!\/))/i.test(url);

// Limits apply while the parser runs, before a table or list has grown to its full size.
markdown.block.State = class extends markdown.block.State {
  override push(...token: Parameters<StateBlock['push']>) {
    countElement(this);
    return super.push(...token);
  }
};
markdown.inline.State = class extends markdown.inline.State {
  override push(...token: Parameters<StateInline['push']>) {
    countElement(this);
    return super.push(...token);
  }
};

const TASK = /^\[([ xX])\](?= )/;

/** Renders the boxes of task lists, makes links open in a new tab, and checks the limits of links and levels. */
markdown.core.ruler.push('links-and-tasks', ({ tokens }) => {
  let linkCharacters = 0;
  for (const [index, { level, children }] of tokens.entries()) {
    const [first] = children ?? [];
    const item = tokens[index - 2];
    if (first?.type === 'text' && item?.type === 'list_item_open' && TASK.test(first.content)) {
      first.content = first.content.replace(TASK, (_, mark: string) => (mark === ' ' ? '☐' : '☑'));
      item.attrSet('class', 'task');
    }
    for (const child of children ?? []) {
      if (level + child.level > MOST_LEVELS) throw new Refusal(tooDeep);
      if (child.type !== 'link_open') continue;
      linkCharacters += `${child.attrGet('href')}${child.attrGet('title') ?? ''}`.length;
      if (linkCharacters > MOST_LINK_CHARACTERS) throw new Refusal('Shorten the links of the text.');
      child.attrSet('rel', 'nofollow noopener noreferrer');
      child.attrSet('target', '_blank');
    }
  }
});

/**
 * Renders Markdown as HTML with known elements and attributes; returns the problem if the text exceeds a limit. Time and size are linear in the text.
 */
export function renderMarkdown(text: string): RenderedMarkdown {
  try {
    return { html: markdown.render(text) };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message };
    throw error;
  }
}

/** Renders users' Markdown as a bounded task. A text of less than 1,000 characters is rendered at once, because that costs less than a thread. */
export const renderMarkdownTask = defineTask({
  name: 'render-markdown',
  run: renderMarkdown,
  budgetMs: 500,
  maxInputBytes: 128 * 1024,
  maxOutputBytes: 1024 * 1024,
  isSmall: (text: string) => text.length < 1_000,
});
