import { fullName } from '../../accounts/rules.ts'
import { carName } from '../../cars/rules.ts'
import type { Dealer } from '../../deals/shapes.ts'
import { formatMiles } from '../../shared/miles.ts'
import { type Cents, formatUsd } from '../../shared/money.ts'
import { shownLine } from '../../shared/words.ts'
import type { DealPackage } from '../endpoints.ts'
import { paperworkTexts as texts } from './paperwork-texts.ts'
import { odometerIsDisclosed, type PaperKind, rulesOf } from './rules.ts'
import { odometerSources, type Source } from './states.ts'

/** A line of a document: text, a fact (`null` prints a blank), a checkbox or a signature line. */
export type Line =
  | { is: 'words'; words: string }
  | { is: 'fact'; label: string; value: string | null }
  | { is: 'box'; words: string }
  | { is: 'signature'; label: string; name: string | null }
export type Part = { title: string; lines: readonly Line[] }
export type Paper = {
  title: string
  lead: string
  parts: readonly Part[]
  sources: readonly Source[]
}

/** Input of a document. `state`: the seller's, in two letters; `year`: the current one. */
export type Situation = {
  deal: Pick<DealPackage, 'seller' | 'buyer' | 'car' | 'price' | 'agreement' | 'trades' | 'financing'>
  dealer: Dealer
  state: string | null
  body: string | null
  year: number
}

/** Renders one of the drafts with every signed fact filled in and every unknown fact left blank. */
export const paperOf = (kind: PaperKind, situation: Situation): Paper => makers[kind](situation)

const makers: Record<PaperKind, (situation: Situation) => Paper> = {
  'bill-of-sale': billOfSale,
  odometer,
  release,
  appointment,
}

function billOfSale(situation: Situation): Paper {
  const { deal, dealer, state } = situation
  const own = texts.billOfSale
  const rules = rulesOf(state)
  const [seller, buyer] = [fullName(deal.seller), fullName(deal.buyer)]
  const tradeIns = (deal.agreement.terms.trades ?? []).map((trade) => tradeName(trade))
  return {
    title: texts.kinds['bill-of-sale'].name,
    lead: own.lead(seller, dealer.name),
    parts: [
      carPart(situation),
      partyPart(own.seller, seller),
      partyPart(own.purchaser, dealer.name),
      {
        title: own.price,
        lines: [
          fact(own.agreedPrice, formatUsd(deal.price)),
          blank(own.saleDate),
          blank(own.reading),
          words(own.agreedFor(buyer)),
          ...(tradeIns.length > 0 ? [words(own.tradeIns(tradeIns.join('; '), dealer.name))] : []),
          ...(owes(deal) ? [words(own.loan)] : []),
        ],
      },
      { title: own.condition, lines: [words(own.asIs), blank(''), blank('')] },
      {
        title: rules.name === null ? own.stateUnknown : own.state(rules.name),
        lines: [words(rules.billOfSale)],
      },
      {
        title: own.sign,
        lines: [sign(own.sellerSigns, seller), sign(own.purchaserSigns, dealer.name)],
      },
    ],
    sources: rules.sources,
  }
}

function odometer(situation: Situation): Paper {
  const { deal, dealer, year } = situation
  const own = texts.odometer
  const seller = fullName(deal.seller)
  const isDue = odometerIsDisclosed(deal.car.year, year)
  return {
    title: texts.kinds.odometer.name,
    lead: own.lead,
    parts: [
      carPart(situation),
      {
        title: own.reading,
        lines: [
          words((isDue ? own.required : own.exempt)(year, deal.car.year)),
          blank(own.now),
          words(own.listed(formatMiles(deal.car.mileage))),
          words(own.choose),
          box(own.beyond),
          box(own.notActual),
          words(own.warning),
        ],
      },
      {
        title: own.transferor,
        lines: [
          fact(texts.party.printed, seller),
          blank(texts.party.address),
          blank(own.transferDate),
          sign(own.sellerSigns, null),
        ],
      },
      {
        title: own.transferee,
        lines: [
          fact(texts.party.name, dealer.name),
          blank(texts.party.address),
          blank(texts.party.printed),
          sign(own.purchaserSigns, null),
        ],
      },
    ],
    sources: odometerSources,
  }
}

function release({ deal, dealer, state }: Situation): Paper {
  const own = texts.release
  const rules = rulesOf(state)
  const unknown = state === null ? own.noState : own.otherState(state)
  return {
    title: texts.kinds.release.name,
    lead: rules.name === null ? own.leadUnknown : own.lead(rules.agency),
    parts: [
      {
        title: own.steps,
        lines: [
          ...(rules.name === null ? [words(unknown)] : []),
          box(rules.title),
          box(rules.release),
          box(rules.plates),
          ...rules.more.map(box),
          words(own.purchaserIs(dealer.name)),
        ],
      },
      {
        title: own.withYou,
        lines: [
          ...own.asked.map(box),
          fact(texts.facts.vin, deal.car.vin),
          fact(texts.billOfSale.purchaser, dealer.name),
          fact(texts.billOfSale.agreedPrice, formatUsd(deal.price)),
          words(own.keep),
        ],
      },
    ],
    sources: rules.sources,
  }
}

function appointment({ deal, dealer }: Situation): Paper {
  const own = texts.appointment
  const { terms } = deal.agreement
  const trades = terms.trades ?? []
  const left: Cents = terms.leftToPay ?? deal.price
  return {
    title: texts.kinds.appointment.name,
    lead:
      dealer.phone === null ? own.lead(dealer.name) : own.leadPhone(dealer.name, dealer.phone, dealer.hours),
    parts: [
      {
        title: carName({ ...deal.car }),
        lines: [fact(texts.facts.vin, deal.car.vin), blank(own.when), blank(own.where)],
      },
      {
        title: `${own.seller} (${fullName(deal.seller)})`,
        lines: [...own.sellerItems.map(box), ...(owes(deal) ? own.loan.map(box) : [box(own.titleInHand)])],
      },
      {
        title: `${own.buyer} (${fullName(deal.buyer)})`,
        lines: [
          ...own.buyerItems.map(box),
          box((trades.length > 0 ? own.payment : own.paymentWhole)(formatUsd(left))),
          ...(deal.financing === null ? [] : [box(own.financing(dealer.name))]),
          ...trades.map((trade) => box(own.trade(tradeName(trade)))),
          ...(trades.length > 0 ? [box(own.tradeLoan)] : []),
        ],
      },
      { title: own.both, lines: own.checks.map(box) },
    ],
    sources: [],
  }
}

function carPart({ deal: { car }, body }: Situation): Part {
  const { facts } = texts
  return {
    title: texts.car,
    lines: [
      fact(facts.year, String(car.year)),
      fact(facts.make, shownLine(car.make)),
      fact(facts.model, shownLine([car.carModel, car.trim].filter(Boolean).join(' '))),
      fact(facts.body, body),
      fact(facts.vin, car.vin),
      fact(facts.color, shownLine(car.color) || null),
      blank(facts.plate),
    ],
  }
}

const partyPart = (title: string, name: string): Part => ({
  title,
  lines: [fact(texts.party.name, name), blank(texts.party.address)],
})

const owes = ({ agreement: { terms }, car }: Situation['deal']) => terms.sellerOwes ?? car.payoff
const tradeName = ({ year, make, model, vin }: { year: number; make: string; model: string; vin: string }) =>
  `${carName({ year, make, carModel: model })}, VIN ${vin}`
const words = (text: string): Line => ({ is: 'words', words: text })
const box = (text: string): Line => ({ is: 'box', words: text })
const fact = (label: string, value: string | null): Line => ({ is: 'fact', label, value })
const blank = (label: string): Line => fact(label, null)
const sign = (label: string, name: string | null): Line => ({ is: 'signature', label, name })
