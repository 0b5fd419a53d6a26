/** Bodies that have an illustration (R-cars-21). */
export const carBodies = [
  'sedan',
  'coupe',
  'hatchback',
  'wagon',
  'suv',
  'crossover',
  'pickup',
  'van',
  'minivan',
  'convertible',
] as const
export type CarBody = (typeof carBodies)[number]

/** Colors in which a car is illustrated, and the words by which people name them. */
const paintWords = {
  white: 'white ivory',
  silver: 'silver platinum aluminum',
  gray: 'gray grey graphite charcoal gunmetal slate titanium',
  black: 'black onyx ebony obsidian',
  blue: 'blue',
  navy: 'navy',
  teal: 'teal turquoise aqua',
  red: 'red crimson scarlet',
  burgundy: 'burgundy maroon wine ruby',
  green: 'green emerald olive',
  brown: 'brown bronze mocha chocolate copper',
  beige: 'beige tan sand champagne cream',
  gold: 'gold',
  yellow: 'yellow',
  orange: 'orange',
  purple: 'purple violet plum',
  /** A color that none of these words names. */
  neutral: '',
} as const
export type Paint = keyof typeof paintWords
export const paints = Object.keys(paintWords) as Paint[]

/**
 * Returns the paint that is nearest to a color as its seller typed it. The last word decides, as in
 * "Midnight Blue Gray"; a second color, as of a roof, is ignored.
 */
export function paintOf(color: string): Paint {
  const [main = ''] = color.toLowerCase().split(/[/,&+]|\b(?:with|and|over)\b/)
  const words = main.split(/[^a-z]+/)
  const named = (word: string) => paints.find((paint) => paintWords[paint].split(' ').includes(word))
  return words.flatMap((word) => (word && named(word)) || []).at(-1) ?? 'neutral'
}

/** Part of the address, which is cached forever. Increment it when an illustration changes. */
const illustrationVersion = 1

export const illustrationPath = '/illustrations/:name'

/** A sedan stands for an unknown body. */
export const illustrationAddress = (body: CarBody | null | undefined, color: string): string =>
  `/illustrations/${body ?? 'sedan'}-${paintOf(color)}-${illustrationVersion}.svg`

/** Width by height of every illustration. */
export const illustrationSize = { width: 600, height: 250 } as const
