/** Replaces a secret in everything that is displayed. */
export const MASK = '••••';
