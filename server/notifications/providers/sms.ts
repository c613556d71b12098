import type { TextForm } from './to-text';

/**
 * The limits of a text message: three segments of 153 characters each, with room for both links. A character outside the GSM 03.38 alphabet, such as
 * "…", would halve the capacity of a segment.
 */
export const SMS_FORM: TextForm = { max: 459, ellipsis: '...', encode: (text) => text.replaceAll('…', '...') };
