import { carName } from './rules.ts'

type Named = { year: number; make: string; carModel: string }
type Kind = 'qr.png' | 'qr.svg' | 'flyer.pdf'

/**
 * Returns a name such as `2003-honda-accord-qr.png`: ASCII only, safe in file systems and headers.
 */
export const carFileName = ({ year, make, carModel }: Named, kind: Kind): string =>
  `${wordsOf(carName({ year, make, carModel }))}-${kind}`

const wordsOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '')
