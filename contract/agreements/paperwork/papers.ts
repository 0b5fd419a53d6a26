import { carName } from '../../cars/rules.ts'
import type { DealerContact } from '../../deals/shapes.ts'
import type { TradeTerms } from '../../deals/terms.ts'
import { describeReading, type RuleSource } from '../../shared/law/rule-source.ts'
import { formatMiles } from '../../shared/miles.ts'
import { type Cents, formatUsd } from '../../shared/money.ts'
import { sanitizeLine } from '../../shared/visible-text.ts'
import type { DealPackage } from '../endpoints.ts'
import { paperworkTexts as texts } from './paperwork-texts.ts'
import { type PaperworkKind, requiresOdometerDisclosure, stateRuleFor } from './rules.ts'
import {
  buyersGuideSource,
  lenderTitleSource,
  notaryPlaces,
  notarySource,
  odometerSources,
} from './state-rules.ts'

/** A line of a document: text, a fact (`null` prints a blank), a checkbox or a signature line. */
export type PaperLine =
  | { is: 'words'; words: string }
  | { is: 'fact'; label: string; value: string | null }
  | { is: 'box'; words: string }
  | { is: 'signature'; label: string; name: string | null }
export type PaperPart = { title: string; lines: readonly PaperLine[] }
export type Paper = {
  title: string
  lead: string
  parts: readonly PaperPart[]
  /** A line each, with the day it was read. */
  sources: readonly string[]
}

/**
 * Input of a document. `seller` and `buyer`: the names as papers print them; `state`: the seller's,
 * in two letters; `today`: the current date.
 */
export type PaperInput = {
  deal: Pick<DealPackage, 'car' | 'price' | 'agreement' | 'trades' | 'financing'>
  seller: string
  buyer: string
  dealer: DealerContact
  state: string | null
  body: string | null
  today: Date
}

/** Renders one of the drafts with every signed fact filled in and every unknown fact left blank. */
export const buildPaper = (kind: PaperworkKind, input: PaperInput): Paper => writers[kind](input)

const writers: Record<PaperworkKind, (input: PaperInput) => Paper> = {
  'bill-of-sale': billOfSale,
  odometer,
  release,
  appointment,
}

function billOfSale(input: PaperInput): Paper {
  const { deal, dealer, state, seller, buyer } = input
  const copy = texts.billOfSale
  const rules = stateRuleFor(state)
  const tradeIns = (deal.agreement.terms.trades ?? []).map((trade) => tradeName(trade))
  return {
    title: texts.kinds['bill-of-sale'].name,
    lead: copy.lead(seller, dealer.name),
    parts: [
      carPart(input),
      partyPart(copy.seller, seller),
      partyPart(copy.purchaser, dealer.name),
      {
        title: copy.price,
        lines: [
          fact(copy.agreedPrice, formatUsd(deal.price)),
          blank(copy.saleDate),
          blank(copy.reading),
          words(copy.agreedFor(buyer)),
          ...(tradeIns.length > 0 ? [words(copy.tradeIns(tradeIns.join('; '), dealer.name))] : []),
          ...(hasLoan(deal) ? [words(copy.loan)] : []),
        ],
      },
      { title: copy.condition, lines: [words(copy.asIs), blank(''), blank('')] },
      {
        title: rules.name === null ? copy.stateUnknown : copy.state(rules.name),
        lines: [words(rules.billOfSale)],
      },
      {
        title: copy.sign,
        lines: [sign(copy.sellerSigns, seller), sign(copy.purchaserSigns, dealer.name)],
      },
    ],
    sources: toLines(rules.sources, input),
  }
}

function odometer(input: PaperInput): Paper {
  const { deal, dealer, today, seller } = input
  const year = today.getUTCFullYear()
  const copy = texts.odometer
  const isDue = requiresOdometerDisclosure(deal.car.year, year)
  return {
    title: texts.kinds.odometer.name,
    lead: copy.lead,
    parts: [
      carPart(input),
      {
        title: copy.reading,
        lines: [
          words((isDue ? copy.required : copy.exempt)(year, deal.car.year)),
          ...(isDue ? [words(copy.heavy)] : []),
          ...(isDue && hasLoan(deal) ? [words(texts.lenderHoldsTitle('car', dealer.name))] : []),
          blank(copy.now),
          words(copy.listed(formatMiles(deal.car.mileage))),
          words(copy.choose),
          box(copy.beyond),
          box(copy.notActual),
          words(copy.warning),
        ],
      },
      {
        title: copy.transferor,
        lines: [
          fact(texts.party.printed, seller),
          blank(texts.party.address),
          blank(copy.transferDate),
          sign(copy.sellerSigns, null),
        ],
      },
      {
        title: copy.transferee,
        lines: [
          fact(texts.party.name, dealer.name),
          blank(texts.party.address),
          blank(texts.party.printed),
          sign(copy.purchaserSigns, null),
        ],
      },
    ],
    sources: toLines(
      isDue && hasLoan(deal) ? [...odometerSources, lenderTitleSource] : odometerSources,
      input,
    ),
  }
}

function release(input: PaperInput): Paper {
  const { deal, dealer, state } = input
  const copy = texts.release
  const rules = stateRuleFor(state)
  const unknown = state === null ? copy.noState : copy.otherState(state)
  // Pennsylvania's own rule says it already.
  const notaryPlace = rules.name === null ? notaryPlaces.get(state ?? '') : undefined
  return {
    title: texts.kinds.release.name,
    lead: rules.name === null ? copy.leadUnknown : copy.lead(rules.agency),
    parts: [
      {
        title: copy.steps,
        lines: [
          ...(rules.name === null ? [words(unknown)] : []),
          box(rules.title),
          ...(notaryPlace ? [box(copy.notarized(notaryPlace))] : []),
          box(rules.release),
          box(rules.plates),
          ...rules.more.map(box),
          words(copy.purchaserIs(dealer.name)),
        ],
      },
      {
        title: copy.withYou,
        lines: [
          ...copy.asked.map(box),
          fact(texts.facts.vin, deal.car.vin),
          fact(texts.billOfSale.purchaser, dealer.name),
          fact(texts.billOfSale.agreedPrice, formatUsd(deal.price)),
          words(copy.keep),
        ],
      },
    ],
    sources: toLines(notaryPlace ? [...rules.sources, notarySource] : rules.sources, input),
  }
}

/** `left` is negative if the trade-ins are worth more than the car. */
function paymentLine(left: Cents, hasTrades: boolean, isTradeOwed: boolean): string {
  const copy = texts.appointment
  if (!hasTrades) return copy.paymentWhole(formatUsd(left))
  if (left <= 0) return isTradeOwed ? copy.paymentCoveredAndLoan : copy.paymentCovered
  return (isTradeOwed ? copy.paymentAndLoan : copy.payment)(formatUsd(left))
}

function appointment(input: PaperInput): Paper {
  const { deal, dealer, state } = input
  const copy = texts.appointment
  const rules = stateRuleFor(state)
  const { terms } = deal.agreement
  const trades: readonly TradeTerms[] = terms.trades ?? []
  const left: Cents = terms.leftToPay ?? deal.price
  const isOwed = ({ vin }: { vin: string }) => deal.trades.some((trade) => trade.vin === vin && trade.payoff)
  const isUncounted = trades.some((trade) => isOwed(trade) && trade.payoffAmount == null)
  const payment = paymentLine(left, trades.length > 0, isUncounted)
  const lenderLine = (car: 'car' | 'trade-in') => box(texts.lenderHoldsTitle(car, dealer.name))
  return {
    title: texts.kinds.appointment.name,
    lead:
      dealer.phone === null
        ? copy.lead(dealer.name)
        : copy.leadPhone(dealer.name, dealer.phone, dealer.hours),
    parts: [
      {
        title: carName({ ...deal.car }),
        lines: [fact(texts.facts.vin, deal.car.vin), blank(copy.when), blank(copy.where)],
      },
      {
        title: `${copy.seller} (${input.seller})`,
        lines: [
          ...copy.sellerItems.map(box),
          ...(rules.dealerRemovesPlates ? [] : [box(copy.platesTool)]),
          ...(hasLoan(deal) ? [...copy.loan.map(box), lenderLine('car')] : [box(copy.titleInHand)]),
        ],
      },
      {
        title: `${copy.buyer} (${input.buyer})`,
        lines: [
          ...copy.buyerItems.map(box),
          box(payment),
          ...(deal.financing === null ? [] : [box(copy.financing(dealer.name))]),
          ...trades.map((trade) => box((isOwed(trade) ? copy.tradeWithLoan : copy.trade)(tradeName(trade)))),
          ...(trades.some(isOwed) ? [lenderLine('trade-in')] : []),
        ],
      },
      { title: copy.buyerGets, lines: [box(copy.buyersGuide)] },
      {
        title: copy.both,
        lines: [...copy.checks, copy.notary([...notaryPlaces.values()].join(', '))].map(box),
      },
    ],
    sources: toLines(
      [
        buyersGuideSource,
        notarySource,
        ...(hasLoan(deal) || trades.some(isOwed) ? [lenderTitleSource] : []),
        ...(rules.dealerRemovesPlates ? rules.sources : []),
      ],
      input,
    ),
  }
}

function carPart({ deal: { car }, body }: PaperInput): PaperPart {
  const { facts } = texts
  return {
    title: texts.car,
    lines: [
      fact(facts.year, String(car.year)),
      fact(facts.make, sanitizeLine(car.make)),
      fact(facts.model, sanitizeLine([car.carModel, car.trim].filter(Boolean).join(' '))),
      fact(facts.body, body),
      fact(facts.vin, car.vin),
      fact(facts.color, sanitizeLine(car.color) || null),
      blank(facts.plate),
    ],
  }
}

const toLines = (sources: readonly RuleSource[], { today }: PaperInput): string[] =>
  sources.map((source) => texts.source(`${source.name}, ${describeReading(source, today)}`, source.url))

const partyPart = (title: string, name: string): PaperPart => ({
  title,
  lines: [fact(texts.party.name, name), blank(texts.party.address)],
})

const hasLoan = ({ agreement: { terms }, car }: PaperInput['deal']) => terms.sellerOwes ?? car.payoff
const tradeName = ({ year, make, model, vin }: { year: number; make: string; model: string; vin: string }) =>
  `${carName({ year, make, carModel: model })}, VIN ${vin}`
const words = (text: string): PaperLine => ({ is: 'words', words: text })
const box = (text: string): PaperLine => ({ is: 'box', words: text })
const fact = (label: string, value: string | null): PaperLine => ({ is: 'fact', label, value })
const blank = (label: string): PaperLine => fact(label, null)
const sign = (label: string, name: string | null): PaperLine => ({ is: 'signature', label, name })
