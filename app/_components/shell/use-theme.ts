'use client';

import { useEffect, useState } from 'react';
import { type Theme, themeCookie, toTheme } from '@/app/_components/theme';

function apply(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') root.removeAttribute('data-theme');
  else root.dataset.theme = theme;
}

/** The theme and its setter; stored in a cookie for the server and in localStorage for other tabs. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>('system');
  useEffect(() => {
    setTheme(toTheme(document.documentElement.dataset.theme));
    const follow = (event: StorageEvent) => {
      if (event.key !== themeCookie) return;
      const chosen = toTheme(event.newValue);
      setTheme(chosen);
      apply(chosen);
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
  const choose = (chosen: Theme) => {
    setTheme(chosen);
    apply(chosen);
    rememberChoice(themeCookie, chosen);
    try {
      localStorage.setItem(themeCookie, chosen);
    } catch {
      // Storage may be disabled; the cookie still stores the choice.
    }
  };
  return [theme, choose];
}

/** Stores a display setting in a cookie for one year. */
export function rememberChoice(name: string, value: string): void {
  const secure = window.location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and outside secure contexts
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax${secure}`;
}
