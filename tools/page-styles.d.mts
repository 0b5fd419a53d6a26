/** The rules of a style sheet that a page can use: its classes are in `html`, its typefaces among `faces`. */
export function cut(given: { css: string; html: string; faces: RegExp }): string
export function cutStyles(folder: string): Promise<void>
