/** The theme setting; `system` follows the operating system. */
export const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

/** The cookie that holds the choice, so that the server's first page already has it. */
export const themeCookie = 'theme';

/** The choice in a cookie's or storage's text; anything unknown is `system`. */
export function toTheme(text: string | null | undefined): Theme {
  return themes.find((theme) => theme === text) ?? 'system';
}
