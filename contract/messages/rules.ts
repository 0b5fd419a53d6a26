import { type DealStatus, isPending, isReserved } from '../deals/rules.ts'

/** More than anybody writes at once, and too little for a contract of one's own. */
export const maxMessageLength = 2000
export const maxReasonLength = 1000

/** The two write to each other from the request on until the deal is over, in whichever way (R-deals-83). */
export const takesMessages = (deal: { status: DealStatus; isWithdrawn: boolean }): boolean =>
  !deal.isWithdrawn && deal.status !== 'COMPLETED' && (isPending(deal.status) || isReserved(deal.status))

/** A piece of a message as it is shown: text, or a link and where it really leads. */
export type Piece = { text: string; link?: { href: string; host: string } }

/** What a person typed as a web address is a link; its host stands beside it, because the rest can say anything (R-deals-84). */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
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
/** What ends the sentence rather than the address. */
const closing = /[.,;:!?)\]}'”’…]+$/

function linkOf(typed: string): Piece['link'] | null {
  if (!URL.canParse(typed)) return null
  const { href, host } = new URL(typed)
  return { href, host }
}
