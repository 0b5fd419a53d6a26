import type { EventFacts, EventName } from '@keyturn/contract/notifications/event-facts.ts'
import type { Audience } from '@keyturn/contract/notifications/events.ts'
import { type Place, pathOfPlace } from '@keyturn/contract/notifications/place.ts'
import { formatDeadline, formatWallTime } from '@keyturn/contract/shared/dates.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { endSentence } from '@keyturn/contract/shared/texts.ts'
import type { Config } from '../../config.ts'
import type { EmailContent } from '../../platform/mail/email-content.ts'
import { ownSentence, type Sentence, sentence } from '../../platform/mail/sentence.ts'
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
  trades: 'See All Trades',
  deliveries: 'Open The Deliveries',
}

type Car = { car: string }
const freeAgain = ({ car }: Car, next: Sentence): TemplateText => ({
  subject: sentence`The ${car} is available again`,
  lines: [sentence`The seller of the ${car} no longer has a confirmed buyer.`, next],
})
/** Tells other buyers that the car is free; other audiences get the given email. */
const orFreeAgain =
  <Facts extends Car>(template: Template<Facts>): Template<Facts> =>
  (facts, reader) => {
    if (reader.audience === 'WAITING')
      return freeAgain(facts, sentence`Your request is still pending, and the seller can confirm it now.`)
    if (reader.audience === 'INTERESTED')
      return freeAgain(facts, sentence`You can request it now. Others can too.`)
    return template(facts, reader)
  }

const quoted = (message: string): Sentence[] => (message ? [sentence`The seller wrote: “${message}”`] : [])
/** The emails do not know whether the reader had a trade-in. */
const freeTrade = sentence`If your request included a trade-in, you can use that trade-in for another purchase.`
const askAgain = sentence`You can change your offer and ask again, or delete the request.`

/** Quotes the text, so that readers do not take it for Keyturn's words. */
const messageTemplate = (name: string, subject: Sentence, text: string): TemplateText => ({
  subject,
  lines: [sentence`${name} wrote: “${text}”`],
  after: [sentence`Please do not reply to this email: replies are not read. Use the button to answer.`],
})

const afterBuyersSignature = {
  sign: () => sentence`Your signature is the one that is missing. Read the agreement and sign it.`,
  confirm: (buyer: string) =>
    sentence`The signature takes effect once you have confirmed ${buyer} and signed too. Review the request, then confirm or deny it.`,
  none: (buyer: string) =>
    sentence`You have confirmed another buyer. This signature waits in case that sale falls through and you confirm ${buyer} instead.`,
}

const dealPausedEmail = ({ car, writeTo }: Car & { writeTo: string }): TemplateText => ({
  subject: sentence`The deal for the ${car} is paused`,
  lines: [
    sentence`The deal for the ${car} is paused. Nothing is lost, and we will let you know when it resumes.`,
    ownSentence(`If you have questions, write to ${endSentence(writeTo)}`),
  ],
})
const dealResumedEmail = ({ car }: Car): TemplateText => ({
  subject: sentence`The deal for the ${car} has resumed`,
  lines: [sentence`The deal for the ${car} is no longer paused. You can pick up where you left off.`],
})

const templates: { [Event in EventName]: Template<EventFacts[Event]> | null } = {
  requestReceived: ({ car, buyer, price }) => ({
    subject: sentence`${buyer} offers ${formatUsd(price)} for your ${car}`,
    lines: [
      sentence`${buyer} asks to buy your ${car} for ${formatUsd(price)}.`,
      sentence`Review the request, then confirm or deny it. Nothing is promised until you confirm it.`,
    ],
  }),
  requestChanged: ({ car, buyer, from, price, isReserved }) => {
    const next = isReserved
      ? sentence`You have confirmed another buyer. This request waits in case that sale falls through.`
      : sentence`Review the request, then confirm or deny it.`
    return from === price
      ? {
          subject: sentence`${buyer} sent a new request for your ${car}`,
          lines: [sentence`The offer is still ${formatUsd(price)}.`, next],
        }
      : {
          subject: sentence`${buyer} now offers ${formatUsd(price)} for your ${car}`,
          lines: [sentence`The offer was ${formatUsd(from)} before.`, next],
        }
  },
  requestWithdrawn: orFreeAgain(({ car, buyer, wasConfirmed }) => ({
    subject: sentence`${buyer} withdrew the request for your ${car}`,
    lines: [
      sentence`${buyer} no longer wants to buy your ${car}.`,
      ...(wasConfirmed ? [sentence`It is available to other buyers again.`] : []),
    ],
  })),
  requestConfirmed: ({ car, seller, buyerSigned }, { audience }) =>
    audience === 'WAITING'
      ? {
          subject: sentence`The sale of the ${car} is pending with another buyer`,
          lines: [
            sentence`The seller of the ${car} has confirmed another buyer. Your request stays as it is.`,
            sentence`If that sale falls through, the seller can still confirm you.`,
          ],
        }
      : {
          subject: sentence`${seller} confirmed you as the buyer of the ${car}`,
          lines: [
            buyerSigned
              ? sentence`${seller} has chosen you as the buyer of the ${car}. You have already signed, and only ${seller}’s signature is missing.`
              : sentence`${seller} has chosen you as the buyer of the ${car}. Read the agreement and sign it.`,
          ],
        },
  requestDenied: ({ car, message }) => ({
    subject: sentence`Your request for the ${car} was denied`,
    lines: [sentence`The seller has denied your request for the ${car}.`, ...quoted(message), askAgain],
  }),
  requestReleased: orFreeAgain(({ car, message }) => ({
    subject: sentence`You are no longer the confirmed buyer of the ${car}`,
    lines: [sentence`The seller has released you as the buyer of the ${car}.`, ...quoted(message), askAgain],
  })),
  priceChanged: ({ car, from, to, offer }) => ({
    subject: sentence`The asking price of the ${car} is now ${formatUsd(to)}`,
    lines: [
      ...(from === null ? [] : [sentence`It was ${formatUsd(from)} before.`]),
      sentence`Your offer of ${formatUsd(offer)} has not changed.`,
    ],
  }),
  priceProposed: ({ car, seller, price, offer }) => ({
    subject: sentence`${seller} proposes ${formatUsd(price)} for the ${car}`,
    lines: [
      sentence`You offered ${formatUsd(offer)}. Accept ${formatUsd(price)}, or keep your offer.`,
      sentence`Your offer stays as it is unless you accept the seller’s price or change your offer.`,
    ],
  }),
  proposalAccepted: ({ car, buyer, proposed, offer }) => ({
    subject: sentence`${buyer} accepted ${formatUsd(proposed)} for your ${car}`,
    lines: [
      sentence`The offer was ${formatUsd(offer)} before.`,
      sentence`Review the request, then confirm or deny it. Nothing is promised until you confirm it.`,
    ],
  }),
  proposalDeclined: ({ car, buyer, proposed, offer }) => ({
    subject: sentence`${buyer} declined ${formatUsd(proposed)} for your ${car}`,
    lines: [
      sentence`${buyer} keeps the offer of ${formatUsd(offer)}.`,
      sentence`Review the request, then confirm or deny it. You can also propose another price.`,
    ],
  }),
  carChanged: ({ car, from, to }) => ({
    subject: sentence`The seller changed the details of the ${car}`,
    lines: [
      sentence`Before: ${from}.`,
      sentence`Now: ${to}.`,
      sentence`Your request is still pending. If you have already signed, that signature no longer counts. Open your purchase to see what comes next.`,
    ],
  }),
  listingRemoved: ({ car }) => ({
    subject: sentence`The ${car} is no longer for sale`,
    lines: [
      sentence`The listing of the ${car} was taken down, and your request for it has ended.`,
      freeTrade,
    ],
  }),
  tradeInRemoved: ({ car, buyer }) => ({
    subject: sentence`${buyer} removed a trade-in from the request for your ${car}`,
    lines: [
      sentence`${buyer} removed the trade-in that was part of the request for your ${car}. If ${buyer} has already signed, that signature no longer counts.`,
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
          subject: sentence`Your 72 hours to sign the agreement for the ${car} have begun`,
          lines: [
            sentence`${seller} signed the agreement. The ${car} is held for you until ${formatDeadline(until, zone)}.`,
            sentence`Read the agreement and sign it before then. After that, the seller may choose another buyer.`,
          ],
        },
  buyerSigned: ({ car, buyer, sellersMove }) =>
    sellersMove === null
      ? null
      : {
          subject: sentence`${buyer} signed the agreement for your ${car}`,
          lines: [afterBuyersSignature[sellersMove](buyer)],
        },
  holdEndsSoon: ({ car, until }, { zone }) => ({
    subject: sentence`24 hours left to sign the agreement for the ${car}`,
    lines: [
      sentence`The ${car} is held for you until ${formatDeadline(until, zone)}. Sign the agreement before then.`,
      sentence`After that, the seller may choose another buyer.`,
    ],
  }),
  holdEnded: orFreeAgain(({ car }, { audience }) => ({
    subject: sentence`The 72 hours for the ${car} are over`,
    lines:
      audience === 'SELLER'
        ? [
            sentence`The 72 hours for your ${car} ended without the buyer’s signature. Your signature no longer counts.`,
            sentence`The request is open again: you can confirm it again or choose another buyer.`,
          ]
        : [
            sentence`The 72 hours in which the ${car} was held for you ended without your signature. The seller’s signature no longer counts.`,
            sentence`Your request is open again: the seller can confirm it again or choose another buyer.`,
          ],
  })),
  // The attached PDF contains the full root, so the email shortens it.
  bothSigned: ({ car, seller, buyer, packageId, links, size, root, next }, { audience }) => ({
    subject: sentence`Signed by both of you: the ${car}`,
    lines: [
      sentence`You and ${audience === 'SELLER' ? buyer : seller} have both signed the agreement for the ${car}. It is attached as a PDF.`,
      sentence`${next}`,
      sentence`Open the deal to see everything that happens next.`,
    ],
    file: {
      label:
        'This address opens the PDF without signing in, for as long as we keep it. Anyone who has it can read the PDF',
      href: links[audience === 'SELLER' ? 'SELLER' : 'BUYER'],
    },
    after: [
      sentence`Keep this email with the PDF: it proves what you signed. The agreement number is ${packageId}.`,
      sentence`Including this agreement, the published log of signatures has ${String(size)} entries and the root ${root.slice(0, 16)}…`,
    ],
  }),

  dealerAccepted: ({ car, dealer }) => ({
    subject: sentence`${dealer} has accepted the deal for the ${car}`,
    lines: [sentence`${dealer} has accepted the deal for the ${car} and will take it from here.`],
  }),
  documentNeeded: ({ car, dealer, document }) => ({
    subject: sentence`${dealer} needs a document for the ${car}`,
    lines: [sentence`For the sale of the ${car}, ${dealer} wrote to both of you: “${document}”`],
  }),
  appointmentMade: ({ car, dealer, place, time }) => ({
    subject: sentence`An appointment for the ${car}`,
    lines: [
      sentence`${dealer} has made an appointment for the ${car}.`,
      sentence`When: ${formatWallTime(time)}, local time there.`,
      sentence`Where: ${place}.`,
    ],
  }),
  sellerPaid: ({ car, dealer }, { audience }) =>
    audience === 'SELLER'
      ? {
          subject: sentence`${dealer} has paid you for the ${car}`,
          lines: [
            sentence`${dealer} reports that it has paid you for the ${car}. Check that the money has arrived.`,
          ],
        }
      : {
          subject: sentence`The seller of the ${car} has been paid`,
          lines: [sentence`${dealer} reports that it has paid the seller of the ${car}.`],
        },
  titleReceived: ({ car, dealer }) => ({
    subject: sentence`${dealer} has received the title of the ${car}`,
    lines: [sentence`${dealer} reports that it has received the title of the ${car}.`],
  }),
  saleCompleted: ({ car, dealer }, { audience }) =>
    audience === 'WAITING' || audience === 'INTERESTED'
      ? {
          subject: sentence`The ${car} was sold`,
          lines:
            audience === 'INTERESTED'
              ? [sentence`The ${car} was sold to another buyer.`]
              : [
                  sentence`The ${car} was sold to another buyer, and your request for it has ended.`,
                  freeTrade,
                ],
        }
      : {
          subject: sentence`The sale of the ${car} is complete`,
          lines: [
            sentence`${dealer} has completed the sale of the ${car}.`,
            sentence`You can still open the signed agreement from your dashboard.`,
          ],
        },
  saleCalledOff: orFreeAgain(({ car, dealer, reason }, { audience }) => ({
    subject: sentence`${dealer} called off the sale of the ${car}`,
    lines: [
      sentence`${dealer} has called off the sale of the ${car} and writes: “${reason}”`,
      ...(audience === 'SELLER'
        ? [
            sentence`Your car is available to other buyers again. The agreement you both signed no longer applies.`,
          ]
        : [
            sentence`The agreement you both signed no longer applies. You can request the car again.`,
            freeTrade,
          ]),
    ],
  })),

  sellerSuspended: dealPausedEmail,
  buyerSuspended: dealPausedEmail,
  sellerRestored: dealResumedEmail,
  buyerRestored: dealResumedEmail,

  tradeAdded: ({ car }) => ({
    subject: sentence`A new trade request: ${car}`,
    lines: [sentence`A ${car} is waiting for an offer. Its owner was promised one within 3 hours.`],
  }),
  tradeReopened: null,
  tradeOffered: ({ car, price }) => ({
    subject: sentence`You have an offer of ${formatUsd(price)} for your ${car}`,
    lines: [
      sentence`A wholesaler offers ${formatUsd(price)} for your ${car}. The offer is good for 7 days.`,
      sentence`Accept it, reject it, or make a counter offer.`,
    ],
  }),
  counterOffered: ({ car, price }) => ({
    subject: sentence`A counter offer for the ${car}`,
    lines: [sentence`The owner of the ${car} countered your offer with ${formatUsd(price)}.`],
  }),
  offerAccepted: ({ car, price }) => ({
    subject: sentence`Your offer for the ${car} was accepted`,
    lines: [sentence`The owner of the ${car} accepted your offer of ${formatUsd(price)}.`],
  }),
  offerRejected: ({ car, wasForfeited }) =>
    wasForfeited
      ? {
          subject: sentence`The counter offer for the ${car} was forfeited`,
          lines: [
            sentence`The owner of the ${car} forfeited the counter offer. The request is closed, and there is nothing for you to do.`,
          ],
        }
      : {
          subject: sentence`Your offer for the ${car} was rejected`,
          lines: [sentence`The owner of the ${car} rejected your offer. There is nothing for you to do.`],
        },
  offerEndsSoon: ({ car, price, until }, { zone }) => ({
    subject: sentence`The offer for your ${car} ends soon`,
    lines: [
      sentence`A wholesaler offers ${formatUsd(price)} for your ${car}. The offer ends on ${formatDeadline(until, zone)}: accept it, reject it or make a counter offer before then.`,
    ],
  }),
  offerEnded: ({ car, price, takesOffers }, { audience }) =>
    audience === 'OWNER'
      ? {
          subject: sentence`The offer for your ${car} has expired`,
          lines: [
            sentence`The offer of ${formatUsd(price)} for your ${car} has expired.`,
            ...(takesOffers
              ? [sentence`Your request is open to wholesalers again, and you don’t need to do anything.`]
              : []),
          ],
        }
      : {
          subject: sentence`Your offer for the ${car} has expired`,
          lines: [
            sentence`Nobody answered your offer of ${formatUsd(price)} for the ${car} within 7 days.`,
            ...(takesOffers ? [sentence`The request is open for offers again.`] : []),
          ],
        },
  tradeDeleted: ({ car, accepted }) => ({
    subject: sentence`The request for the ${car} was deleted`,
    lines: [
      accepted === null
        ? sentence`The owner of the ${car} deleted the request, so your offer is no longer valid.`
        : sentence`The owner of the ${car} deleted the request, so your accepted offer of ${formatUsd(accepted)} is no longer valid.`,
    ],
  }),
  tradeUsed: ({ car, price }) => ({
    subject: sentence`The ${car} was traded in`,
    lines: [
      sentence`The owner of the ${car} has traded it in for your offer of ${formatUsd(price)}, and that sale is complete.`,
    ],
  }),
  offerWithdrawn: ({ car, price }) => ({
    subject: sentence`The offer for your ${car} was withdrawn`,
    lines: [
      sentence`The wholesaler withdrew the offer of ${formatUsd(price)} for your ${car}, so it can no longer be accepted.`,
      sentence`Your request is open to wholesalers again, and you don’t need to do anything.`,
    ],
  }),

  requestUnanswered: ({ car, buyer, price }) => ({
    subject: sentence`${buyer} is waiting for your answer about your ${car}`,
    lines: [
      sentence`${buyer} asks to buy your ${car} for ${formatUsd(price)}. Review the request, then confirm or deny it.`,
    ],
  }),
  proposalUnanswered: ({ car, seller, price }) => ({
    subject: sentence`${seller} is waiting for your answer about the ${car}`,
    lines: [sentence`${seller} proposes ${formatUsd(price)} for the ${car}. Accept it, or keep your offer.`],
  }),
  sellerUnsigned: ({ car, buyer, buyerSigned }) => ({
    subject: sentence`Please sign the agreement for your ${car}`,
    lines: [
      ...(buyerSigned ? [sentence`${buyer} has signed. Only your signature is missing.`] : []),
      sentence`Read the agreement for your ${car} and sign it.`,
    ],
  }),
  buyerUnsigned: ({ car, seller, isConfirmed }) => ({
    subject: isConfirmed
      ? sentence`Please sign the agreement for the ${car}`
      : sentence`You still need to sign the agreement for the ${car}`,
    lines: [
      isConfirmed
        ? sentence`${seller} has confirmed you as the buyer. Read the agreement for the ${car} and sign it.`
        : sentence`You have requested the ${car} but have not signed the agreement yet. Read it and sign it.`,
    ],
  }),
  refusalUnanswered: ({ car }) => ({
    subject: sentence`Do you still want the ${car}?`,
    lines: [sentence`The seller has turned down your request for the ${car}.`, askAgain],
  }),
  offerUnanswered: ({ car, price }) => ({
    subject: sentence`The offer of ${formatUsd(price)} for your ${car} is waiting for your answer`,
    lines: [sentence`Accept it, reject it, or make a counter offer.`],
  }),
  counterUnanswered: ({ car, price }) => ({
    subject: sentence`The counter offer for the ${car} is waiting for your answer`,
    lines: [sentence`The owner of the ${car} asks for ${formatUsd(price)}. Match it, or make another offer.`],
  }),
  tradeUnanswered: ({ car, isReopened }) => ({
    subject: sentence`A ${car} is still waiting for an offer`,
    lines: [
      isReopened
        ? sentence`It is open for offers again, and nobody has made one for 3 hours.`
        : sentence`Its owner was promised an offer within 3 hours. That time is over.`,
    ],
  }),
  dealUnanswered: ({ car, dealer }) => ({
    subject: sentence`${dealer} has not responded to the deal for the ${car}`,
    lines: [
      sentence`Both sides signed the agreement for the ${car} more than a day ago, and ${dealer} has not responded yet.`,
      sentence`Check the list of deliveries to see whether the deal has arrived, or call the dealer.`,
    ],
  }),

  deliveryParked: ({ dealer }) => ({
    subject: sentence`A deal did not reach ${dealer}`,
    lines: [
      sentence`Keyturn could not pass a signed deal to ${dealer} and will not try again on its own.`,
      sentence`The list of deliveries shows each attempt and why it failed. Once the cause is fixed, send it again from there.`,
    ],
  }),
}
