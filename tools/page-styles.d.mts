/** Returns the rules of a style sheet that a page can use, by the classes in `html` and its `faces`. */
export function cut(given: { css: string; html: string; faces: RegExp }): string
export function cutStyles(folder: string): Promise<void>
