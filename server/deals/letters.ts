import type { DealerAnswer } from '@keyturn/contract/deals/dealers/partner.ts'
import type { Dealer } from '@keyturn/contract/deals/next-steps.ts'
import { nextStepsTexts } from '@keyturn/contract/deals/next-steps-texts.ts'
import { formatWallTime } from '@keyturn/contract/kit/dates.ts'
import type { Config } from '../config.ts'
import type { Letter } from '../mail/letter.ts'
import { type Sentence, say } from '../mail/sentence.ts'

export const deniedLetter = (config: Config, car: string, message: string): Letter => ({
  subject: say`Your request for the ${car} was denied`,
  lines: [
    say`The seller has denied your request for the ${car}.`,
    ...quoted(message),
    say`You can change your price and ask again, or delete the request.`,
  ],
  button: dashboard(config),
})

export const releasedLetter = (config: Config, car: string, message: string): Letter => ({
  subject: say`The sale of the ${car} was called off`,
  lines: [
    say`The seller has released you as the buyer of the ${car}.`,
    ...quoted(message),
    say`You can change your price and ask again, or delete the request.`,
  ],
  button: dashboard(config),
})

export const soldElsewhereLetter = (config: Config, car: string): Letter => ({
  subject: say`The sale of the ${car} is pending with another buyer`,
  lines: [
    say`The seller of the ${car} has confirmed another buyer. Your request stays as it is.`,
    say`If that sale is called off, the seller can still confirm you.`,
  ],
  button: dashboard(config),
})

export const freeAgainLetter = (config: Config, car: string): Letter => ({
  subject: say`The ${car} is free again`,
  lines: [
    say`The sale of the ${car} to another buyer was called off.`,
    say`Your request stands as it was, and the seller can confirm it now.`,
  ],
  button: dashboard(config),
})

type Withdrawn = { car: string; buyer: string; wasConfirmed: boolean }
export const withdrawnLetter = (config: Config, { car, buyer, wasConfirmed }: Withdrawn): Letter => ({
  subject: say`${buyer} withdrew the request for your ${car}`,
  lines: [
    say`${buyer} no longer wants to buy your ${car}.`,
    ...(wasConfirmed ? [say`It is free for other buyers again.`] : []),
  ],
  button: dashboard(config),
})

export const listingRemovedLetter = (config: Config, car: string): Letter => ({
  subject: say`The ${car} is no longer for sale`,
  lines: [
    say`The listing of the ${car} was taken down, and your request for it has ended.`,
    say`A trade-in that was part of it is free for another purchase.`,
  ],
  button: dashboard(config),
})

export const termsChangedLetter = (
  config: Config,
  car: string,
  { from, to }: { from: string; to: string },
): Letter => ({
  subject: say`The seller changed the details of the ${car}`,
  lines: [
    say`Before: ${from}.`,
    say`Now: ${to}.`,
    say`Your request still stands. If you had signed, that signature no longer counts: look at the new details and sign again.`,
  ],
  button: dashboard(config),
})

type Passed = { car: string; other: string; packageId: string; size: number; root: string; dealer: Dealer }
/** With the signed PDF attached. The root is cut: whole it stands in the PDF. */
export const passedLetter = (
  config: Config,
  { car, other, packageId, size, root, dealer }: Passed,
): Letter => ({
  subject: say`Signed by both of you: the ${car}`,
  lines: [
    say`You and ${other} have both signed the agreement for the ${car}. It is attached as a PDF.`,
    say`${nextStepsTexts.steps.call.what({ dealer, sellerState: null })}`,
    say`Everything else that happens now stands on your dashboard.`,
  ],
  button: dashboard(config),
  after: [
    say`Keep this mail with the PDF: it proves what you signed. The agreement is number ${packageId}.`,
    say`With it, the public log of signatures has ${String(size)} entries and the root ${root.slice(0, 16)}…`,
  ],
})

export const completedLetter = (config: Config, car: string, dealer: string): Letter => ({
  subject: say`The sale of the ${car} is complete`,
  lines: [
    say`${dealer} has completed the sale of the ${car}.`,
    say`The signed agreement stays on your dashboard.`,
  ],
  button: dashboard(config),
})

type ByDealer = { car: string; dealer: string }

/** One short letter for each thing that a dealer says. */
export const dealerStepLetter = (
  config: Config,
  { car, dealer, said }: ByDealer & { said: Exclude<DealerAnswer, { step: 'cancelled' }> },
): Letter => ({ ...wordsOf({ car, dealer }, said), button: dashboard(config) })

function wordsOf(
  { car, dealer }: ByDealer,
  said: Exclude<DealerAnswer, { step: 'cancelled' }>,
): Pick<Letter, 'subject' | 'lines'> {
  switch (said.step) {
    case 'accepted':
      return {
        subject: say`${dealer} has accepted the deal for the ${car}`,
        lines: [say`${dealer} has the deal for the ${car} and takes it from here.`],
      }
    case 'needsDocument':
      return {
        subject: say`${dealer} needs a document for the ${car}`,
        lines: [say`For the sale of the ${car}, ${dealer} writes to both of you: “${said.document}”`],
      }
    case 'appointment':
      return {
        subject: say`An appointment for the ${car}`,
        lines: [
          say`${dealer} has made an appointment for the ${car}.`,
          say`When: ${formatWallTime(said.time)}, as the clock says there.`,
          say`Where: ${said.place}.`,
        ],
      }
    case 'paidSeller':
      return {
        subject: say`The seller of the ${car} has been paid`,
        lines: [say`${dealer} says that it has paid the seller of the ${car}.`],
      }
    case 'titleReceived':
      return {
        subject: say`The title of the ${car} has arrived`,
        lines: [say`${dealer} says that it has received the title of the ${car}.`],
      }
  }
}

type CalledOff = ByDealer & { reason: string; side: 'SELLER' | 'BUYER' }
export const calledOffLetter = (config: Config, { car, dealer, reason, side }: CalledOff): Letter => ({
  subject: say`${dealer} called off the sale of the ${car}`,
  lines: [
    say`${dealer} has called off the sale of the ${car} and writes: “${reason}”`,
    side === 'SELLER'
      ? say`Your car is free for other buyers again. The agreement that both of you signed no longer holds.`
      : say`The agreement that both of you signed no longer holds. A trade-in that was part of it is free for another purchase, and you can ask for the car again.`,
  ],
  button: dashboard(config),
})

export const soldLetter = (config: Config, car: string): Letter => ({
  subject: say`The ${car} was sold`,
  lines: [
    say`The ${car} was sold to another buyer, and your request for it has ended.`,
    say`A trade-in that was part of it is free for another purchase.`,
  ],
  button: dashboard(config),
})

export const tradeRemovedLetter = (config: Config, car: string, buyer: string): Letter => ({
  subject: say`${buyer} took a trade out of the request for your ${car}`,
  lines: [
    say`${buyer} no longer brings the trade-in that was part of the request for your ${car}. A signature given before no longer counts.`,
  ],
  button: dashboard(config),
})

export const holdEndedLetter = (config: Config, car: string): Letter => ({
  subject: say`The 72 hours for the ${car} are over`,
  lines: [
    say`The 72 hours in which the ${car} was held ended without the buyer’s signature. Signatures given before no longer count.`,
    say`The request is open again: the seller can confirm it once more or take another buyer.`,
  ],
  button: dashboard(config),
})

const dashboard = (config: Config) => ({
  label: 'Go To Your Dashboard',
  href: new URL('/home', config.publicUrl).href,
})

const quoted = (message: string): Sentence[] => (message ? [say`The seller wrote: “${message}”`] : [])
