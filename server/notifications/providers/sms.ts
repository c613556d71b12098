import type { TextForm } from './to-text';

/**
 * Three segments of 153 characters each, with room for both links. One character outside the alphabet of GSM 03.38, such as "…", would halve what a
 * segment holds.
 */
export const SMS_FORM: TextForm = { max: 459, ellipsis: '...', encode: (text) => text.replaceAll('…', '...') };
