import type { DealMoveName } from '@keyturn/contract/deals/rules.ts'
import type { Audience } from '@keyturn/contract/notifications/events.ts'
import type { TradeMoveActor, TradeMoveName } from '@keyturn/contract/trades/rules.ts'

export type MentionedMove =
  | { on: 'deal'; by: 'SELLER' | 'BUYER'; move: DealMoveName }
  | { on: 'trade'; by: TradeMoveActor; move: TradeMoveName }

const bySeller = (move: DealMoveName) => ({ on: 'deal', by: 'SELLER', move }) as const
const byBuyer = (move: DealMoveName) => ({ on: 'deal', by: 'BUYER', move }) as const
const byOwner = (move: TradeMoveName) => ({ on: 'trade', by: 'OWNER', move }) as const
const offer = { on: 'trade', by: 'WHOLESALER', move: 'offer' } as const

type Phrase = [says: RegExp, asked: MentionedMove]
const signing =
  /\bsign (it|the agreement|again|before|too)\b|\bboth of you sign\b|only your signature is missing/i
const toBuyer: readonly Phrase[] = [
  [signing, byBuyer('sign')],
  [/the seller can confirm/i, bySeller('confirm')],
  [/you can request it/i, byBuyer('request')],
  [/you can change your offer/i, byBuyer('reprice')],
  [/delete the request/i, byBuyer('withdraw')],
]
const toWholesaler: readonly Phrase[] = [
  [/make (an|another) offer|open for offers|waiting for an offer|countered your offer/i, offer],
]

/** Phrases that tell a reader what they or the other party can do now. */
const phrases: Record<Audience, readonly Phrase[]> = {
  SELLER: [
    [signing, bySeller('sign')],
    [/\bconfirm or deny|you can confirm/i, bySeller('confirm')],
    [/confirm or deny/i, bySeller('deny')],
  ],
  BUYER: toBuyer,
  WAITING: toBuyer,
  INTERESTED: toBuyer,
  OWNER: [
    [/\baccept it\b/i, byOwner('accept')],
    [/\breject it\b/i, byOwner('reject')],
    [/counter offer|price of your own/i, byOwner('counter')],
    [/is open to wholesalers/i, offer],
  ],
  OFFERER: toWholesaler,
  WHOLESALERS: toWholesaler,
  ADMINISTRATOR: [],
}

/** Returns the moves that a notification or email says are possible now. */
export const movesMentionedIn = (text: string, of: Audience): MentionedMove[] => {
  const words = text.replace(/\s+/g, ' ')
  return phrases[of].flatMap(([says, asked]) => (says.test(words) ? [asked] : []))
}
