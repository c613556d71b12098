import { z } from 'zod';

/**
 * Text without control characters (Unicode's Cc), as a pattern that JavaScript, Python, Java and Go read alike, because the OpenAPI document contains
 * it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
export const ONE_LINE = /^[^\x00-\x1f\x7f-\x9f]*$/;

export const NO_CONTROLS = 'Control characters and line breaks are not allowed.';

/** The version that an edit is based on, by its `updatedAt`. */
export const IfUpdatedAt = z.iso.datetime({ offset: true }).optional().meta({
  description:
    'The `updatedAt` of the version you edited. If the object has changed since, nothing is updated and the response is EDIT_CONFLICT.',
});
