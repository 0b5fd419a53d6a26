import type { DealPackage } from '@keyturn/contract/agreements/endpoints.ts'
import {
  packageTexts,
  termSheetTexts,
  sealedTexts as texts,
} from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { Signature } from '../agreement-sheet.tsx'
import classes from './sealed-agreement.module.css'
import { SealedAgreementCard } from './sealed-agreement-card.tsx'

type SealedAgreementProps = { pkgId: string; vin: string; agreement: DealPackage['agreement'] }

/** The sealed agreement of a package, with both signatures and its digest. */
export function SealedAgreement({ pkgId, vin, agreement }: SealedAgreementProps) {
  const { terms, seller, buyer, hash, textVersion } = agreement
  return (
    <SealedAgreementCard pkgId={pkgId} vin={vin} signedAt={[seller.signedAt, buyer.signedAt]}>
      <div className={classes.signatures}>
        <Signature role={termSheetTexts.seller} party={terms.sellerName} {...seller} />
        <Signature role={termSheetTexts.buyer} party={terms.buyerName} {...buyer} />
      </div>
      <dl className={classes.proof}>
        <div>
          <dt>{texts.number}</dt>
          <dd translate="no">{pkgId}</dd>
        </div>
        <div>
          <dt>{packageTexts.textVersion}</dt>
          <dd>{textVersion}</dd>
        </div>
        <div className={classes.digest}>
          <dt>{packageTexts.sheetHash}</dt>
          <dd translate="no">{hash}</dd>
        </div>
      </dl>
    </SealedAgreementCard>
  )
}
