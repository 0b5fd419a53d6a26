/** Texts about a signature drawn in addition to the typed one. */
export const drawingTexts = {
  open: 'Draw your signature too',
  notLoaded: 'The drawing area could not be loaded. You can sign without it.',
  title: 'Drawn signature (optional)',
  hint: 'Draw with a finger, a mouse or a pen. Your typed signature is enough without it.',
  area: 'Area for drawing your signature',
  undo: 'Undo',
  clear: 'Clear',
  remove: 'Sign without a drawing',
  drawn: (name: string) => `Drawn signature of ${name}`,
} as const
