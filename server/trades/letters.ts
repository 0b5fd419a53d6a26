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

export const ownOfferEndedLetter = (config: Config, car: string, price: Cents): Letter => ({
  subject: say`Your offer for the ${car} has expired`,
  lines: [
    say`Nobody answered your offer of ${formatUsd(price)} for the ${car} within 7 days. The request takes offers again.`,
  ],
  button: dashboard(config),
})

// To the owner, about an offer's time.

export const offerEndsSoonLetter = (
  config: Config,
  { car, price, until }: { car: string; price: Cents; until: string },
): Letter => ({
  subject: say`The offer for your ${car} ends soon`,
  lines: [
    say`A wholesaler offers ${formatUsd(price)} for your ${car}. The offer ends on ${until}: accept it, reject it or make a counter offer before then.`,
  ],
  button: ownTrades(config),
})

export const offerEndedLetter = (config: Config, car: string, price: Cents): Letter => ({
  subject: say`The offer for your ${car} has expired`,
  lines: [
    say`The offer of ${formatUsd(price)} for your ${car} has expired. Your request is with the wholesalers again, and you need not do anything.`,
  ],
  button: ownTrades(config),
})

const ownTrades = (config: Config) => ({
  label: 'Trade Dashboard',
  href: new URL('/trade', config.publicUrl).href,
})

const dashboard = (config: Config) => ({
  label: 'Wholesaler Dashboard',
  href: new URL('/wholesaler', config.publicUrl).href,
})
