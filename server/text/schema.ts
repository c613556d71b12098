import { z } from 'zod';

/** Text without control characters (Unicode's Cc), in escapes that JavaScript, Python, Java and Go read alike: the OpenAPI document shows it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
export const ONE_LINE = /^[^\x00-\x1f\x7f-\x9f]*$/;

export const NO_CONTROLS = 'Control characters and line breaks are not allowed.';

/** Beside the changes of an edit: the version that was edited, by its `updatedAt`. */
export const IfUpdatedAt = z.iso.datetime({ offset: true }).optional().meta({
  description:
    'The `updatedAt` of the version you edited. If the object has changed since, nothing is updated and the response is EDIT_CONFLICT.',
});
