/** The size of an image in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Returns the size; null if width or height is zero. */
export function toSize(width: number, height: number): Size | null {
  return width > 0 && height > 0 ? { width, height } : null;
}
