export const presenceTexts = {
  looking: (names: readonly string[]) =>
    `${list.format(names)} ${names.length === 1 ? 'is' : 'are'} looking at this now`,
  title: 'When you look at a deal',
  lead: 'While you have a deal open, the other side can see that you are looking at it, and you can see when they are. We keep no record of it.',
  isShown: 'Show when I am looking at a deal',
  off: 'This is off: you do not see when the other side is looking, either.',
  failed: 'We could not load this setting.',
  notSaved: 'We could not save this. Please try again.',
} as const

const list = new Intl.ListFormat('en-US')
