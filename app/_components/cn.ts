import { type ClassValue, clsx } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

const merge = extendTailwindMerge({
  extend: {
    theme: {
      text: ['micro', 'small', 'base', 'body', 'lead', 'title', 'figure', 'display'],
      radius: ['1', '2', '3', '4', 'pill'],
      shadow: ['1', '2', '3'],
      tracking: ['tight', 'display'],
    },
  },
});

/** Joins class names. Of two utilities for one property, the later wins, including our own text sizes and radii. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
