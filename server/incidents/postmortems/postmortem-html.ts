import { runBounded } from '@/server/platform/bounded/run-bounded';
import { LimitError } from '@/server/platform/bounded/task';
import { invalidField } from '@/server/platform/errors';
import type { IncidentPostmortem } from '@/server/platform/generated/prisma/client';
import { MARKDOWN_VERSION, renderMarkdownTask } from '@/server/text/render-markdown';

/** Returns the stored HTML of a postmortem; null if another version of the renderer created it. */
export const htmlOf = ({ html, htmlVersion }: Pick<IncidentPostmortem, 'html' | 'htmlVersion'>) =>
  htmlVersion === MARKDOWN_VERSION ? html : null;

/**
 * Renders the Markdown of a postmortem as safe HTML within limits of time and memory.
 * @throws AppError VALIDATION_ERROR at `body` if the text exceeds a limit
 */
export async function htmlOfText(teamId: string, body: string): Promise<string> {
  try {
    const rendered = await runBounded(renderMarkdownTask, body, { team: teamId });
    if ('problem' in rendered) throw invalidField('body', rendered.problem);
    return rendered.html;
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    throw invalidField('body', `Shorten or simplify the text: rendering it takes more than ${error.limit}.`);
  }
}
