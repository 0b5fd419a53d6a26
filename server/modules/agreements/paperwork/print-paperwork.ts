import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { buildPaper } from '@keyturn/contract/agreements/paperwork/papers.ts'
import { paperworkTexts } from '@keyturn/contract/agreements/paperwork/paperwork-texts.ts'
import type { PaperworkKind } from '@keyturn/contract/agreements/paperwork/rules.ts'
import { bodyTypeOf } from '@keyturn/contract/cars/rules.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { stateOfZip } from '../../../integrations/sales-tax/tax-rates.ts'
import type { Caller } from '../../../platform/http/authorization.ts'
import { readPackage } from '../create-deal-package.ts'
import { printedName } from '../printed-name.ts'
import type { PaperPrinter } from './paper-printer.ts'
import { findCarOfPackage } from './paperwork-repository.ts'

/** Prints a draft for a party or the administrator; everybody else gets a 404 (R-deals-65). */
export async function printPaperwork(
  deps: Deps,
  printer: PaperPrinter,
  caller: Caller,
  { pkgId, kind }: { pkgId: string; kind: PaperworkKind },
) {
  const deal = await readPackage(deps, caller, pkgId)
  const [car] = await findCarOfPackage(deps.db, { id: pkgId })
  if (!car) throw apiErrors.NotFound()
  const body = bodyTypeOf(car.bodyClass)
  const { phone, hours } = deps.config.dealer
  const paper = buildPaper(kind, {
    deal,
    seller: printedName(fullName(deal.seller), deal.agreement.seller),
    buyer: printedName(fullName(deal.buyer), deal.agreement.buyer),
    dealer: { name: deal.dealer, phone, hours },
    state: car.zipCode === null ? null : stateOfZip(car.zipCode),
    body: body && paperworkTexts.bodies[body],
    today: car.today,
  })
  const reader = caller.user?.id ?? caller.administrator?.username ?? ''
  const bytes = await printer.print({ paper, of: { id: pkgId, signedAt: deal.createdAt } }, reader)
  return { name: paperworkTexts.fileName(kind, deal.car.vin), bytes }
}
