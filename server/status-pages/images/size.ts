/** The size of an image in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** A valid size: an image without width or height has none. */
export function toSize(width: number, height: number): Size | null {
  return width > 0 && height > 0 ? { width, height } : null;
}
