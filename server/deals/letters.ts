import type { Letter } from '../accounts/actions.ts'
import type { Config } from '../config.ts'

export const deniedLetter = (config: Config, car: string, message: string): Letter => ({
  subject: `Your request for the ${car} was denied`,
  lines: [
    `The seller has denied your request for the ${car}.`,
    ...quoted(message),
    'You can change your price and ask again, or delete the request.',
  ],
  button: dashboard(config),
})

export const releasedLetter = (config: Config, car: string, message: string): Letter => ({
  subject: `The sale of the ${car} was called off`,
  lines: [
    `The seller has released you as the buyer of the ${car}.`,
    ...quoted(message),
    'You can change your price and ask again, or delete the request.',
  ],
  button: dashboard(config),
})

export const soldElsewhereLetter = (config: Config, car: string): Letter => ({
  subject: `The sale of the ${car} is pending with another buyer`,
  lines: [
    `The seller of the ${car} has confirmed another buyer. Your request stays as it is.`,
    'If that sale is called off, the seller can still confirm you.',
  ],
  button: dashboard(config),
})

export const withdrawnLetter = (config: Config, car: string, buyer: string): Letter => ({
  subject: `${buyer} withdrew the request for your ${car}`,
  lines: [`${buyer} no longer wants to buy your ${car}. It is free for other buyers.`],
  button: dashboard(config),
})

export const tradeRemovedLetter = (config: Config, car: string, buyer: string): Letter => ({
  subject: `${buyer} took a trade out of the request for your ${car}`,
  lines: [
    `${buyer} no longer brings the trade-in that was part of the request for your ${car}. A signature given before no longer counts.`,
  ],
  button: dashboard(config),
})

export const holdEndedLetter = (config: Config, car: string): Letter => ({
  subject: `The 72 hours for the ${car} are over`,
  lines: [
    `The 72 hours in which the ${car} was held ended without the buyer’s signature. Signatures given before no longer count.`,
    'The request is open again: the seller can confirm it once more or take another buyer.',
  ],
  button: dashboard(config),
})

const dashboard = (config: Config) => ({
  label: 'Go To Your Dashboard',
  href: new URL('/home', config.publicUrl).href,
})

const quoted = (message: string): string[] => (message ? [`The seller wrote: “${message}”`] : [])
