/** Three segments of 153 characters each, with room for both links. */
export const MOST_SMS = 459;
