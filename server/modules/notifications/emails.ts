import type { EventFacts, EventName } from '@keyturn/contract/notifications/event-facts.ts'
import type { Audience } from '@keyturn/contract/notifications/events.ts'
import { type Place, pageOf } from '@keyturn/contract/notifications/place.ts'
import { formatDeadline, formatWallTime } from '@keyturn/contract/shared/dates.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import type { Config } from '../../config.ts'
import type { EmailContent } from '../../platform/mail/email-content.ts'
import { type Sentence, say } from '../../platform/mail/sentence.ts'
import type { PendingNotification } from './notify.ts'

// The email of each event and audience for which the contract's table asks for one. Emails to
// wholesalers never name the owner of a car: mailboxes are read by other people, and emails outlive
// the wholesaler's right to know the name (R-trades-23).

type Words = Pick<EmailContent, 'subject' | 'lines' | 'after'>
type Reader = { audience: Audience /** As their clock shows it. */; zone: string }
type Write<Facts> = (facts: Facts, reader: Reader) => Words | null

/** Returns null when another email that is sent at the same time says the same. */
export function emailFor(
  config: Pick<Config, 'publicUrl'>,
  { event, facts, audience, place }: PendingNotification,
  zone: string,
): EmailContent | null {
  const write = letters[event] as Write<unknown> | null
  const words = write?.(facts, { audience, zone })
  return words ? { ...words, button: buttonTo(config, place) } : null
}

/** Links to the page itself; a reader without a session is sent through the sign-in page first. */
const buttonTo = ({ publicUrl }: Pick<Config, 'publicUrl'>, place: Place) => ({
  label: labels[place.kind],
  href: new URL(pageOf(place), publicUrl).href,
})
const labels: Record<Place['kind'], string> = {
  car: 'Open Your Car',
  deal: 'Open Your Purchase',
  purchases: 'See Your Purchases',
  trade: 'Open The Trade',
  deliveries: 'To The Deliveries',
}

type Car = { car: string }
const freeAgain = ({ car }: Car): Words => ({
  subject: say`The ${car} is free again`,
  lines: [
    say`The sale of the ${car} to another buyer was called off.`,
    say`Your request stands as it was, and the seller can confirm it now.`,
  ],
})
/**
 * Writes that the car is free to buyers waiting for it, and the given email to every other
 * audience.
 */
const orFree =
  <Facts extends Car>(write: Write<Facts>): Write<Facts> =>
  (facts, reader) =>
    reader.audience === 'WAITING' ? freeAgain(facts) : write(facts, reader)

const quoted = (message: string): Sentence[] => (message ? [say`The seller wrote: “${message}”`] : [])
const askAgain = say`You can change your price and ask again, or delete the request.`

/** Quotes the text, so that readers do not take it for Keyturn's words. */
const wrote = (name: string, subject: Sentence, text: string): Words => ({
  subject,
  lines: [say`${name} wrote: “${text}”`],
  after: [say`Please do not reply to this mail: nobody reads it. Use the button to answer.`],
})

const letters: { [Event in EventName]: Write<EventFacts[Event]> | null } = {
  requestReceived: ({ car, buyer, price }) => ({
    subject: say`${buyer} offers ${formatUsd(price)} for your ${car}`,
    lines: [
      say`${buyer} asks to buy your ${car} for ${formatUsd(price)}.`,
      say`Look at the request, and confirm or deny it. Nothing is promised until you confirm it.`,
    ],
  }),
  requestChanged: ({ car, buyer, from, price }) =>
    from === price
      ? {
          subject: say`${buyer} sent a new request for your ${car}`,
          lines: [
            say`The price is still ${formatUsd(price)}. Look at what else has changed, and confirm or deny the request.`,
          ],
        }
      : {
          subject: say`${buyer} now offers ${formatUsd(price)} for your ${car}`,
          lines: [
            say`Before, the offer was ${formatUsd(from)}.`,
            say`Look at the request, and confirm or deny it.`,
          ],
        },
  requestWithdrawn: orFree(({ car, buyer, wasConfirmed }) => ({
    subject: say`${buyer} withdrew the request for your ${car}`,
    lines: [
      say`${buyer} no longer wants to buy your ${car}.`,
      ...(wasConfirmed ? [say`It is free for other buyers again.`] : []),
    ],
  })),
  requestConfirmed: ({ car, seller }, { audience }) =>
    audience === 'WAITING'
      ? {
          subject: say`The sale of the ${car} is pending with another buyer`,
          lines: [
            say`The seller of the ${car} has confirmed another buyer. Your request stays as it is.`,
            say`If that sale is called off, the seller can still confirm you.`,
          ],
        }
      : {
          subject: say`${seller} confirmed you as the buyer of the ${car}`,
          lines: [say`The ${car} is promised to you. Next comes the agreement, which both of you sign.`],
        },
  requestDenied: ({ car, message }) => ({
    subject: say`Your request for the ${car} was denied`,
    lines: [say`The seller has denied your request for the ${car}.`, ...quoted(message), askAgain],
  }),
  requestReleased: orFree(({ car, message }) => ({
    subject: say`The sale of the ${car} was called off`,
    lines: [say`The seller has released you as the buyer of the ${car}.`, ...quoted(message), askAgain],
  })),
  priceChanged: ({ car, from, to }) => ({
    subject: say`The price of the ${car} is now ${formatUsd(to)}`,
    lines: [
      ...(from === null || from === to ? [] : [say`Before, it was ${formatUsd(from)}.`]),
      say`Open your purchase to see what this means for your request.`,
    ],
  }),
  carChanged: ({ car, from, to }) => ({
    subject: say`The seller changed the details of the ${car}`,
    lines: [
      say`Before: ${from}.`,
      say`Now: ${to}.`,
      say`Your request still stands. If you had signed, that signature no longer counts: look at the new details and sign again.`,
    ],
  }),
  listingRemoved: ({ car }) => ({
    subject: say`The ${car} is no longer for sale`,
    lines: [
      say`The listing of the ${car} was taken down, and your request for it has ended.`,
      say`A trade-in that was part of it is free for another purchase.`,
    ],
  }),
  tradeInRemoved: ({ car, buyer }) => ({
    subject: say`${buyer} took a trade out of the request for your ${car}`,
    lines: [
      say`${buyer} no longer brings the trade-in that was part of the request for your ${car}. A signature given before no longer counts.`,
    ],
  }),

  buyerWrote: ({ car, buyer, text }) => wrote(buyer, say`${buyer} wrote to you about your ${car}`, text),
  sellerWrote: ({ car, seller, text }) => wrote(seller, say`${seller} wrote to you about the ${car}`, text),

  sellerSigned: ({ car, seller, until }, { zone }) =>
    until === null
      ? null
      : {
          subject: say`${seller} signed for the ${car}: your 72 hours have begun`,
          lines: [
            say`${seller} signed the agreement. The ${car} is held for you until ${formatDeadline(until, zone)}.`,
            say`Read the agreement and sign it before then. After that, the seller may take another buyer.`,
          ],
        },
  buyerSigned: ({ car, buyer, isLast }) =>
    isLast
      ? null
      : {
          subject: say`${buyer} signed the agreement for your ${car}`,
          lines: [say`Your signature is the one that is missing. Read the agreement and sign it.`],
        },
  holdEndsSoon: ({ car, until }, { zone }) => ({
    subject: say`24 hours left to sign for the ${car}`,
    lines: [
      say`The ${car} is held for you until ${formatDeadline(until, zone)}. Sign the agreement before then.`,
      say`After that, the seller may take another buyer.`,
    ],
  }),
  holdEnded: orFree(({ car }, { audience }) => ({
    subject: say`The 72 hours for the ${car} are over`,
    lines:
      audience === 'SELLER'
        ? [
            say`The 72 hours for your ${car} ended without the buyer’s signature. Signatures given before no longer count.`,
            say`The request is open again: you can confirm it once more or take another buyer.`,
          ]
        : [
            say`The 72 hours in which the ${car} was held for you ended without your signature. Signatures given before no longer count.`,
            say`Your request is open again: the seller can confirm it once more or take another buyer.`,
          ],
  })),
  // The signed PDF is attached. It contains the full root, so the email shortens it.
  bothSigned: ({ car, seller, buyer, packageId, size, root, next }, { audience }) => ({
    subject: say`Signed by both of you: the ${car}`,
    lines: [
      say`You and ${audience === 'SELLER' ? buyer : seller} have both signed the agreement for the ${car}. It is attached as a PDF.`,
      say`${next}`,
      say`Everything else that happens now stands on your dashboard.`,
    ],
    after: [
      say`Keep this mail with the PDF: it proves what you signed. The agreement is number ${packageId}.`,
      say`With it, the public log of signatures has ${String(size)} entries and the root ${root.slice(0, 16)}…`,
    ],
  }),

  dealerAccepted: ({ car, dealer }) => ({
    subject: say`${dealer} has accepted the deal for the ${car}`,
    lines: [say`${dealer} has the deal for the ${car} and takes it from here.`],
  }),
  documentNeeded: ({ car, dealer, document }) => ({
    subject: say`${dealer} needs a document for the ${car}`,
    lines: [say`For the sale of the ${car}, ${dealer} writes to both of you: “${document}”`],
  }),
  appointmentMade: ({ car, dealer, place, time }) => ({
    subject: say`An appointment for the ${car}`,
    lines: [
      say`${dealer} has made an appointment for the ${car}.`,
      say`When: ${formatWallTime(time)}, as the clock says there.`,
      say`Where: ${place}.`,
    ],
  }),
  sellerPaid: ({ car, dealer }, { audience }) =>
    audience === 'SELLER'
      ? {
          subject: say`${dealer} has paid you for the ${car}`,
          lines: [say`${dealer} says that it has paid you for the ${car}. Check that the money has arrived.`],
        }
      : {
          subject: say`The seller of the ${car} has been paid`,
          lines: [say`${dealer} says that it has paid the seller of the ${car}.`],
        },
  titleReceived: ({ car, dealer }) => ({
    subject: say`The title of the ${car} has arrived`,
    lines: [say`${dealer} says that it has received the title of the ${car}.`],
  }),
  saleCompleted: ({ car, dealer }, { audience }) =>
    audience === 'WAITING'
      ? {
          subject: say`The ${car} was sold`,
          lines: [
            say`The ${car} was sold to another buyer, and your request for it has ended.`,
            say`A trade-in that was part of it is free for another purchase.`,
          ],
        }
      : {
          subject: say`The sale of the ${car} is complete`,
          lines: [
            say`${dealer} has completed the sale of the ${car}.`,
            say`The signed agreement stays on your dashboard.`,
          ],
        },
  saleCalledOff: orFree(({ car, dealer, reason }, { audience }) => ({
    subject: say`${dealer} called off the sale of the ${car}`,
    lines: [
      say`${dealer} has called off the sale of the ${car} and writes: “${reason}”`,
      audience === 'SELLER'
        ? say`Your car is free for other buyers again. The agreement that both of you signed no longer holds.`
        : say`The agreement that both of you signed no longer holds. A trade-in that was part of it is free for another purchase, and you can ask for the car again.`,
    ],
  })),

  tradeAdded: ({ car }) => ({
    subject: say`A new trade request: ${car}`,
    lines: [say`A ${car} is waiting for an offer. Its owner was promised one within 3 hours.`],
  }),
  tradeReopened: null,
  tradeOffered: ({ car, price }) => ({
    subject: say`You have an offer of ${formatUsd(price)} for your ${car}`,
    lines: [
      say`A wholesaler offers ${formatUsd(price)} for your ${car}. The offer stands for 7 days.`,
      say`Accept it, reject it, or answer with a price of your own.`,
    ],
  }),
  counterOffered: ({ car, price }) => ({
    subject: say`A counter offer for the ${car}`,
    lines: [say`The owner of the ${car} answers your offer with ${formatUsd(price)}.`],
  }),
  offerAccepted: ({ car, price }) => ({
    subject: say`Your offer for the ${car} was accepted`,
    lines: [say`The owner of the ${car} accepts your offer of ${formatUsd(price)}.`],
  }),
  offerRejected: ({ car }) => ({
    subject: say`Your offer for the ${car} was rejected`,
    lines: [say`The owner of the ${car} does not take your offer. There is nothing for you to do.`],
  }),
  offerEndsSoon: ({ car, price, until }, { zone }) => ({
    subject: say`The offer for your ${car} ends soon`,
    lines: [
      say`A wholesaler offers ${formatUsd(price)} for your ${car}. The offer ends on ${formatDeadline(until, zone)}: accept it, reject it or make a counter offer before then.`,
    ],
  }),
  offerEnded: ({ car, price }, { audience }) =>
    audience === 'OWNER'
      ? {
          subject: say`The offer for your ${car} has expired`,
          lines: [
            say`The offer of ${formatUsd(price)} for your ${car} has expired. Your request is with the wholesalers again, and you need not do anything.`,
          ],
        }
      : {
          subject: say`Your offer for the ${car} has expired`,
          lines: [
            say`Nobody answered your offer of ${formatUsd(price)} for the ${car} within 7 days. The request takes offers again.`,
          ],
        },

  requestUnanswered: ({ car, buyer, price }) => ({
    subject: say`${buyer} is waiting for your answer about your ${car}`,
    lines: [
      say`${buyer} asks to buy your ${car} for ${formatUsd(price)}. Look at the request, and confirm or deny it.`,
    ],
  }),
  sellerUnsigned: ({ car, buyer, buyerSigned }) => ({
    subject: say`${buyer} is waiting for your signature for your ${car}`,
    lines: [
      ...(buyerSigned ? [say`${buyer} has signed. Your signature is the one that is missing.`] : []),
      say`Read the agreement for your ${car} and sign it.`,
    ],
  }),
  buyerUnsigned: ({ car, seller, isConfirmed }) => ({
    subject: isConfirmed
      ? say`${seller} is waiting for your signature for the ${car}`
      : say`Your signature is missing for the ${car}`,
    lines: [
      isConfirmed
        ? say`${seller} has confirmed you as the buyer. Read the agreement for the ${car} and sign it.`
        : say`You have asked for the ${car}, and have not signed the agreement yet. Read it and sign it.`,
    ],
  }),
  refusalUnanswered: ({ car }) => ({
    subject: say`Do you still want the ${car}?`,
    lines: [say`The seller did not accept your request for the ${car}.`, askAgain],
  }),
  offerUnanswered: ({ car, price }) => ({
    subject: say`The offer of ${formatUsd(price)} for your ${car} is waiting for your answer`,
    lines: [say`Accept it, reject it, or answer with a price of your own.`],
  }),
  counterUnanswered: ({ car, price }) => ({
    subject: say`The counter offer for the ${car} is waiting for your answer`,
    lines: [say`The owner of the ${car} asks for ${formatUsd(price)}. Make an offer that answers it.`],
  }),
  tradeUnanswered: ({ car }) => ({
    subject: say`A ${car} is still waiting for an offer`,
    lines: [say`Its owner was promised an offer within 3 hours. That time is over.`],
  }),
  dealUnanswered: ({ car, dealer }) => ({
    subject: say`${dealer} has not answered the deal for the ${car}`,
    lines: [
      say`Both sides signed the agreement for the ${car} more than a day ago, and ${dealer} has not said anything about it yet.`,
      say`Look in the list of deliveries whether the deal has arrived, or call the dealer.`,
    ],
  }),

  deliveryParked: ({ dealer }) => ({
    subject: say`A deal did not reach ${dealer}`,
    lines: [
      say`Keyturn has tried for three days to pass a signed deal to ${dealer}, and it was not taken.`,
      say`Every try and its reason stand in the list of deliveries. Once the cause is mended, send it again from there.`,
    ],
  }),
}
