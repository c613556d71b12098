/** What stands for a secret in all that is shown. */
export const MASK = '••••';
