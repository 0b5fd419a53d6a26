import type { EventFacts, EventName } from '@keyturn/contract/notifications/event-facts.ts'
import type { Audience } from '@keyturn/contract/notifications/events.ts'
import { type Place, pathOfPlace } from '@keyturn/contract/notifications/place.ts'
import { formatDeadline, formatWallTime } from '@keyturn/contract/shared/dates.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import type { Config } from '../../config.ts'
import type { EmailContent } from '../../platform/mail/email-content.ts'
import { type Sentence, sentence } from '../../platform/mail/sentence.ts'
import type { PendingNotification } from './notify.ts'

// The email of each event and audience for which the contract's table asks for one. Emails to
// wholesalers never name the owner of a car: mailboxes are read by other people, and emails outlive
// the wholesaler's right to know the name (R-trades-23).

type TemplateText = Pick<EmailContent, 'subject' | 'lines' | 'after'>
type Reader = { audience: Audience /** As their clock shows it. */; zone: string }
type Template<Facts> = (facts: Facts, reader: Reader) => TemplateText | null

/** Returns null when another email that is sent at the same time says the same. */
export function emailFor(
  config: Pick<Config, 'publicUrl'>,
  { event, facts, audience, place }: PendingNotification,
  zone: string,
): EmailContent | null {
  const template = templates[event] as Template<unknown> | null
  const text = template?.(facts, { audience, zone })
  return text ? { ...text, button: buttonTo(config, place) } : null
}

/** Links to the page itself; a reader without a session is sent through the sign-in page first. */
const buttonTo = ({ publicUrl }: Pick<Config, 'publicUrl'>, place: Place) => ({
  label: labels[place.kind],
  href: new URL(pathOfPlace(place), publicUrl).href,
})
const labels: Record<Place['kind'], string> = {
  car: 'Open Your Car',
  deal: 'Open Your Purchase',
  purchases: 'See Your Purchases',
  trade: 'Open The Trade',
  deliveries: 'To The Deliveries',
}

type Car = { car: string }
const freeAgain = ({ car }: Car): TemplateText => ({
  subject: sentence`The ${car} is free again`,
  lines: [
    sentence`The sale of the ${car} to another buyer was called off.`,
    sentence`Your request stands as it was, and the seller can confirm it now.`,
  ],
})
/** Tells waiting buyers that the car is free; other audiences get the given email. */
const orFreeAgain =
  <Facts extends Car>(template: Template<Facts>): Template<Facts> =>
  (facts, reader) =>
    reader.audience === 'WAITING' ? freeAgain(facts) : template(facts, reader)

const quoted = (message: string): Sentence[] => (message ? [sentence`The seller wrote: “${message}”`] : [])
const askAgain = sentence`You can change your price and ask again, or delete the request.`

/** Quotes the text, so that readers do not take it for Keyturn's words. */
const messageTemplate = (name: string, subject: Sentence, text: string): TemplateText => ({
  subject,
  lines: [sentence`${name} wrote: “${text}”`],
  after: [sentence`Please do not reply to this mail: nobody reads it. Use the button to answer.`],
})

const templates: { [Event in EventName]: Template<EventFacts[Event]> | null } = {
  requestReceived: ({ car, buyer, price }) => ({
    subject: sentence`${buyer} offers ${formatUsd(price)} for your ${car}`,
    lines: [
      sentence`${buyer} asks to buy your ${car} for ${formatUsd(price)}.`,
      sentence`Look at the request, and confirm or deny it. Nothing is promised until you confirm it.`,
    ],
  }),
  requestChanged: ({ car, buyer, from, price }) =>
    from === price
      ? {
          subject: sentence`${buyer} sent a new request for your ${car}`,
          lines: [
            sentence`The price is still ${formatUsd(price)}. Look at what else has changed, and confirm or deny the request.`,
          ],
        }
      : {
          subject: sentence`${buyer} now offers ${formatUsd(price)} for your ${car}`,
          lines: [
            sentence`Before, the offer was ${formatUsd(from)}.`,
            sentence`Look at the request, and confirm or deny it.`,
          ],
        },
  requestWithdrawn: orFreeAgain(({ car, buyer, wasConfirmed }) => ({
    subject: sentence`${buyer} withdrew the request for your ${car}`,
    lines: [
      sentence`${buyer} no longer wants to buy your ${car}.`,
      ...(wasConfirmed ? [sentence`It is free for other buyers again.`] : []),
    ],
  })),
  requestConfirmed: ({ car, seller }, { audience }) =>
    audience === 'WAITING'
      ? {
          subject: sentence`The sale of the ${car} is pending with another buyer`,
          lines: [
            sentence`The seller of the ${car} has confirmed another buyer. Your request stays as it is.`,
            sentence`If that sale is called off, the seller can still confirm you.`,
          ],
        }
      : {
          subject: sentence`${seller} confirmed you as the buyer of the ${car}`,
          lines: [sentence`The ${car} is promised to you. Next comes the agreement, which both of you sign.`],
        },
  requestDenied: ({ car, message }) => ({
    subject: sentence`Your request for the ${car} was denied`,
    lines: [sentence`The seller has denied your request for the ${car}.`, ...quoted(message), askAgain],
  }),
  requestReleased: orFreeAgain(({ car, message }) => ({
    subject: sentence`The sale of the ${car} was called off`,
    lines: [sentence`The seller has released you as the buyer of the ${car}.`, ...quoted(message), askAgain],
  })),
  priceChanged: ({ car, from, to }) => ({
    subject: sentence`The price of the ${car} is now ${formatUsd(to)}`,
    lines: [
      ...(from === null || from === to ? [] : [sentence`Before, it was ${formatUsd(from)}.`]),
      sentence`Open your purchase to see what this means for your request.`,
    ],
  }),
  carChanged: ({ car, from, to }) => ({
    subject: sentence`The seller changed the details of the ${car}`,
    lines: [
      sentence`Before: ${from}.`,
      sentence`Now: ${to}.`,
      sentence`Your request still stands. If you had signed, that signature no longer counts: look at the new details and sign again.`,
    ],
  }),
  listingRemoved: ({ car }) => ({
    subject: sentence`The ${car} is no longer for sale`,
    lines: [
      sentence`The listing of the ${car} was taken down, and your request for it has ended.`,
      sentence`A trade-in that was part of it is free for another purchase.`,
    ],
  }),
  tradeInRemoved: ({ car, buyer }) => ({
    subject: sentence`${buyer} took a trade out of the request for your ${car}`,
    lines: [
      sentence`${buyer} no longer brings the trade-in that was part of the request for your ${car}. A signature given before no longer counts.`,
    ],
  }),

  buyerWrote: ({ car, buyer, text }) =>
    messageTemplate(buyer, sentence`${buyer} wrote to you about your ${car}`, text),
  sellerWrote: ({ car, seller, text }) =>
    messageTemplate(seller, sentence`${seller} wrote to you about the ${car}`, text),

  sellerSigned: ({ car, seller, until }, { zone }) =>
    until === null
      ? null
      : {
          subject: sentence`${seller} signed for the ${car}: your 72 hours have begun`,
          lines: [
            sentence`${seller} signed the agreement. The ${car} is held for you until ${formatDeadline(until, zone)}.`,
            sentence`Read the agreement and sign it before then. After that, the seller may take another buyer.`,
          ],
        },
  buyerSigned: ({ car, buyer, isLast }) =>
    isLast
      ? null
      : {
          subject: sentence`${buyer} signed the agreement for your ${car}`,
          lines: [sentence`Your signature is the one that is missing. Read the agreement and sign it.`],
        },
  holdEndsSoon: ({ car, until }, { zone }) => ({
    subject: sentence`24 hours left to sign for the ${car}`,
    lines: [
      sentence`The ${car} is held for you until ${formatDeadline(until, zone)}. Sign the agreement before then.`,
      sentence`After that, the seller may take another buyer.`,
    ],
  }),
  holdEnded: orFreeAgain(({ car }, { audience }) => ({
    subject: sentence`The 72 hours for the ${car} are over`,
    lines:
      audience === 'SELLER'
        ? [
            sentence`The 72 hours for your ${car} ended without the buyer’s signature. Signatures given before no longer count.`,
            sentence`The request is open again: you can confirm it once more or take another buyer.`,
          ]
        : [
            sentence`The 72 hours in which the ${car} was held for you ended without your signature. Signatures given before no longer count.`,
            sentence`Your request is open again: the seller can confirm it once more or take another buyer.`,
          ],
  })),
  // The attached PDF contains the full root, so the email shortens it.
  bothSigned: ({ car, seller, buyer, packageId, size, root, next }, { audience }) => ({
    subject: sentence`Signed by both of you: the ${car}`,
    lines: [
      sentence`You and ${audience === 'SELLER' ? buyer : seller} have both signed the agreement for the ${car}. It is attached as a PDF.`,
      sentence`${next}`,
      sentence`Everything else that happens now stands on your dashboard.`,
    ],
    after: [
      sentence`Keep this mail with the PDF: it proves what you signed. The agreement is number ${packageId}.`,
      sentence`With it, the public log of signatures has ${String(size)} entries and the root ${root.slice(0, 16)}…`,
    ],
  }),

  dealerAccepted: ({ car, dealer }) => ({
    subject: sentence`${dealer} has accepted the deal for the ${car}`,
    lines: [sentence`${dealer} has the deal for the ${car} and takes it from here.`],
  }),
  documentNeeded: ({ car, dealer, document }) => ({
    subject: sentence`${dealer} needs a document for the ${car}`,
    lines: [sentence`For the sale of the ${car}, ${dealer} writes to both of you: “${document}”`],
  }),
  appointmentMade: ({ car, dealer, place, time }) => ({
    subject: sentence`An appointment for the ${car}`,
    lines: [
      sentence`${dealer} has made an appointment for the ${car}.`,
      sentence`When: ${formatWallTime(time)}, as the clock says there.`,
      sentence`Where: ${place}.`,
    ],
  }),
  sellerPaid: ({ car, dealer }, { audience }) =>
    audience === 'SELLER'
      ? {
          subject: sentence`${dealer} has paid you for the ${car}`,
          lines: [
            sentence`${dealer} says that it has paid you for the ${car}. Check that the money has arrived.`,
          ],
        }
      : {
          subject: sentence`The seller of the ${car} has been paid`,
          lines: [sentence`${dealer} says that it has paid the seller of the ${car}.`],
        },
  titleReceived: ({ car, dealer }) => ({
    subject: sentence`The title of the ${car} has arrived`,
    lines: [sentence`${dealer} says that it has received the title of the ${car}.`],
  }),
  saleCompleted: ({ car, dealer }, { audience }) =>
    audience === 'WAITING'
      ? {
          subject: sentence`The ${car} was sold`,
          lines: [
            sentence`The ${car} was sold to another buyer, and your request for it has ended.`,
            sentence`A trade-in that was part of it is free for another purchase.`,
          ],
        }
      : {
          subject: sentence`The sale of the ${car} is complete`,
          lines: [
            sentence`${dealer} has completed the sale of the ${car}.`,
            sentence`The signed agreement stays on your dashboard.`,
          ],
        },
  saleCalledOff: orFreeAgain(({ car, dealer, reason }, { audience }) => ({
    subject: sentence`${dealer} called off the sale of the ${car}`,
    lines: [
      sentence`${dealer} has called off the sale of the ${car} and writes: “${reason}”`,
      audience === 'SELLER'
        ? sentence`Your car is free for other buyers again. The agreement that both of you signed no longer holds.`
        : sentence`The agreement that both of you signed no longer holds. A trade-in that was part of it is free for another purchase, and you can ask for the car again.`,
    ],
  })),

  tradeAdded: ({ car }) => ({
    subject: sentence`A new trade request: ${car}`,
    lines: [sentence`A ${car} is waiting for an offer. Its owner was promised one within 3 hours.`],
  }),
  tradeReopened: null,
  tradeOffered: ({ car, price }) => ({
    subject: sentence`You have an offer of ${formatUsd(price)} for your ${car}`,
    lines: [
      sentence`A wholesaler offers ${formatUsd(price)} for your ${car}. The offer stands for 7 days.`,
      sentence`Accept it, reject it, or answer with a price of your own.`,
    ],
  }),
  counterOffered: ({ car, price }) => ({
    subject: sentence`A counter offer for the ${car}`,
    lines: [sentence`The owner of the ${car} answers your offer with ${formatUsd(price)}.`],
  }),
  offerAccepted: ({ car, price }) => ({
    subject: sentence`Your offer for the ${car} was accepted`,
    lines: [sentence`The owner of the ${car} accepts your offer of ${formatUsd(price)}.`],
  }),
  offerRejected: ({ car }) => ({
    subject: sentence`Your offer for the ${car} was rejected`,
    lines: [sentence`The owner of the ${car} does not take your offer. There is nothing for you to do.`],
  }),
  offerEndsSoon: ({ car, price, until }, { zone }) => ({
    subject: sentence`The offer for your ${car} ends soon`,
    lines: [
      sentence`A wholesaler offers ${formatUsd(price)} for your ${car}. The offer ends on ${formatDeadline(until, zone)}: accept it, reject it or make a counter offer before then.`,
    ],
  }),
  offerEnded: ({ car, price }, { audience }) =>
    audience === 'OWNER'
      ? {
          subject: sentence`The offer for your ${car} has expired`,
          lines: [
            sentence`The offer of ${formatUsd(price)} for your ${car} has expired. Your request is with the wholesalers again, and you need not do anything.`,
          ],
        }
      : {
          subject: sentence`Your offer for the ${car} has expired`,
          lines: [
            sentence`Nobody answered your offer of ${formatUsd(price)} for the ${car} within 7 days. The request takes offers again.`,
          ],
        },

  requestUnanswered: ({ car, buyer, price }) => ({
    subject: sentence`${buyer} is waiting for your answer about your ${car}`,
    lines: [
      sentence`${buyer} asks to buy your ${car} for ${formatUsd(price)}. Look at the request, and confirm or deny it.`,
    ],
  }),
  sellerUnsigned: ({ car, buyer, buyerSigned }) => ({
    subject: sentence`${buyer} is waiting for your signature for your ${car}`,
    lines: [
      ...(buyerSigned ? [sentence`${buyer} has signed. Your signature is the one that is missing.`] : []),
      sentence`Read the agreement for your ${car} and sign it.`,
    ],
  }),
  buyerUnsigned: ({ car, seller, isConfirmed }) => ({
    subject: isConfirmed
      ? sentence`${seller} is waiting for your signature for the ${car}`
      : sentence`Your signature is missing for the ${car}`,
    lines: [
      isConfirmed
        ? sentence`${seller} has confirmed you as the buyer. Read the agreement for the ${car} and sign it.`
        : sentence`You have asked for the ${car}, and have not signed the agreement yet. Read it and sign it.`,
    ],
  }),
  refusalUnanswered: ({ car }) => ({
    subject: sentence`Do you still want the ${car}?`,
    lines: [sentence`The seller did not accept your request for the ${car}.`, askAgain],
  }),
  offerUnanswered: ({ car, price }) => ({
    subject: sentence`The offer of ${formatUsd(price)} for your ${car} is waiting for your answer`,
    lines: [sentence`Accept it, reject it, or answer with a price of your own.`],
  }),
  counterUnanswered: ({ car, price }) => ({
    subject: sentence`The counter offer for the ${car} is waiting for your answer`,
    lines: [sentence`The owner of the ${car} asks for ${formatUsd(price)}. Make an offer that answers it.`],
  }),
  tradeUnanswered: ({ car }) => ({
    subject: sentence`A ${car} is still waiting for an offer`,
    lines: [sentence`Its owner was promised an offer within 3 hours. That time is over.`],
  }),
  dealUnanswered: ({ car, dealer }) => ({
    subject: sentence`${dealer} has not answered the deal for the ${car}`,
    lines: [
      sentence`Both sides signed the agreement for the ${car} more than a day ago, and ${dealer} has not said anything about it yet.`,
      sentence`Look in the list of deliveries whether the deal has arrived, or call the dealer.`,
    ],
  }),

  deliveryParked: ({ dealer }) => ({
    subject: sentence`A deal did not reach ${dealer}`,
    lines: [
      sentence`Keyturn has tried for three days to pass a signed deal to ${dealer}, and it was not taken.`,
      sentence`Every try and its reason stand in the list of deliveries. Once the cause is mended, send it again from there.`,
    ],
  }),
}
