import { type Cents, formatUsd } from '@keyturn/contract/kit/money.ts'
import type { Config } from '../config.ts'
import type { Letter } from '../mail/letter.ts'
import { say } from '../mail/sentence.ts'

// To wholesalers, about what has no bell of its own (R-notifications-6). No word of who owns the car: a mailbox is read
// by others too, and longer than they may know it (R-trades-23).

export const newTradeLetter = (config: Config, car: string): Letter => ({
  subject: say`A new trade request: ${car}`,
  lines: [say`A ${car} is waiting for an offer. Its owner was promised one within 3 hours.`],
  button: dashboard(config),
})

export const counterLetter = (config: Config, car: string, price: Cents): Letter => ({
  subject: say`A counter offer for the ${car}`,
  lines: [say`The owner of the ${car} answers your offer with ${formatUsd(price)}.`],
  button: dashboard(config),
})

export const acceptedLetter = (config: Config, car: string, price: Cents): Letter => ({
  subject: say`Your offer for the ${car} was accepted`,
  lines: [say`The owner of the ${car} accepts your offer of ${formatUsd(price)}.`],
  button: dashboard(config),
})

export const rejectedLetter = (config: Config, car: string): Letter => ({
  subject: say`Your offer for the ${car} was rejected`,
  lines: [say`The owner of the ${car} does not take your offer. There is nothing for you to do.`],
  button: dashboard(config),
})

const dashboard = (config: Config) => ({
  label: 'Wholesaler Dashboard',
  href: new URL('/wholesaler', config.publicUrl).href,
})
