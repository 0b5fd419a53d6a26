import { fullName } from '../accounts/rules.ts'
import { type DealStatus, isPending, isReserved } from '../deals/rules.ts'
import { sanitizeLine } from '../shared/visible-text.ts'

/** Longer than any usual message, but too short for a contract. */
export const maxMessageLength = 2000
export const maxReasonLength = 1000

/** Messages are possible from the request until the deal ends in any way (R-deals-83). */
export const acceptsMessages = (deal: { status: DealStatus; isWithdrawn: boolean }): boolean =>
  !deal.isWithdrawn && deal.status !== 'COMPLETED' && (isPending(deal.status) || isReserved(deal.status))

/** How a button names the other party. */
export const firstNameOf = (person: { firstName: string; lastName: string }): string =>
  sanitizeLine(person.firstName) || fullName(person)

/** Messages of each day in the reader's time zone, in their order. */
export function groupByDay<Dated extends { at: string }>(
  messages: readonly Dated[],
  dayOf: (iso: string) => string,
): { day: string; messages: Dated[] }[] {
  const days: { day: string; messages: Dated[] }[] = []
  for (const message of messages) {
    const day = dayOf(message.at)
    const last = days.at(-1)
    if (last?.day === day) last.messages.push(message)
    else days.push({ day, messages: [message] })
  }
  return days
}

/** A displayed piece of a message: text, or a link and its actual target. */
export type TextPiece = { text: string; link?: { href: string; host: string } }

/** Finds links. Each shows its host, because the rest of an address can mislead (R-deals-84). */
export function splitAtLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of text.matchAll(address)) {
    const typed = match[0].replace(closing, '')
    const link = linkOf(typed)
    if (!link) continue
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) })
    pieces.push({ text: typed, link })
    end = match.index + typed.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end) })
  return pieces
}

const address = /\bhttps?:\/\/[^\s<>"]+/gi
/** Punctuation that ends the sentence rather than the address. */
const closing = /[.,;:!?)\]}'”’…]+$/

function linkOf(typed: string): TextPiece['link'] | null {
  if (!URL.canParse(typed)) return null
  const { href, host } = new URL(typed)
  return { href, host }
}
